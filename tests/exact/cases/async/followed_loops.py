# SPDX-License-Identifier: MIT
# What follows an asynchronous loop is code that only an exception reaches: from 3.12 on it is moved to the end.
async def a(self):
    if self.a:
        async for p in self.s:
            async for q in p:
                if q:
                    continue
                x(q)
            y(p)
        if self.c:
            self.d = 1
    else:
        z()
    return self.b


async def b(self):
    if self.a:
        try:
            async for p in self.s:
                try:
                    x(p)
                except E:
                    y(p)
        except F:
            g()
        if self.c:
            self.d = 1
    return self.b


async def c(self):
    for i in self.x:
        if i:
            async with i as j:
                async for k in j:
                    if k:
                        break
                    if j:
                        return k
                else:
                    h()
            m()
        n()
    return self.b


async def d(self):
    while self.x:
        if self.y:
            async for k in self:
                while k:
                    k = f(k)
            self.x = 1
        elif self.z:
            self.l = [k async for k in self if k]
            self.m = {k: [j async for j in k] async for k in self if k}
        else:
            return 1
    return self.b


async def e(self):
    try:
        if self.y:
            async for k in self:
                yield k
            yield 1
        yield 2
    finally:
        self.w()
    return
