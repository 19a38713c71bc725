class C:
    def f(self, é, q):
        return t"{self.__x}{ -q }{é}{q if not é else self}{[i for i in q if -i]}{(lambda a=q: ~a)()!r:{q}}{a . b}"

    def constants(self, q):
        return t"{-1}{~0}{1+1}{'%s' % q}{(y := +q)}{f'{q!r} {self.a}'}"

    async def g(self):
        return t"{await self.x}{[z async for z in self]}"
