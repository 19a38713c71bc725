# SPDX-License-Identifier: MIT
"""`depyf completion SHELL`: what bash, zsh and fish complete, made out of the parser itself.

Commands and options are completed everywhere, files where a command takes no option. Invariant: the script needs
nothing but the shell, and names no option that the parser does not have.
"""

from __future__ import annotations

import argparse


def commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, dict[str, str]]]:
    """Command to its help, and its options with theirs."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    found = {}
    for name, made in commands.choices.items():
        options = {
            o: (a.help or "").replace("%(default)s", str(a.default)) for a in made._actions for o in a.option_strings
        }
        found[name] = (helps.get(name, ""), options)
    return found


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script of a shell."""
    commands = commands_of(parser)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _bash(commands: dict[str, tuple[str, dict[str, str]]]) -> str:
    cases = "".join(f'    {name}) words="{" ".join(options)}" ;;\n' for name, (_, options) in commands.items())
    return (
        "# depyf completion bash: source this, or put it into ~/.local/share/bash-completion/completions/depyf\n"
        "_depyf() {\n"
        '  local word="${COMP_WORDS[COMP_CWORD]}" words=""\n'
        f'  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$word")); return; fi\n'
        '  case "${COMP_WORDS[1]}" in\n'
        f"{cases}"
        "  esac\n"
        '  case "$word" in -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;\n'
        '    *) COMPREPLY=($(compgen -f -- "$word")) ;; esac\n'
        "}\n"
        "complete -o filenames -F _depyf depyf\n"
    )


def _zsh(commands: dict[str, tuple[str, dict[str, str]]]) -> str:
    described = "\n".join(f"    {_quoted(f'{name}:{help_}')}" for name, (help_, _) in commands.items())
    cases = "\n".join(
        f"    {name}) _arguments {' '.join(_quoted(f'{o}[{_flat(h)}]') for o, h in options.items())} '*:file:_files' ;;"
        for name, (_, options) in commands.items()
    )
    return (
        "#compdef depyf\n"
        "# depyf completion zsh: put it into a folder of $fpath as _depyf\n"
        "_depyf() {\n  local -a commands=(\n"
        f"{described}\n  )\n"
        "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        "  local command=$words[2]\n  shift words; (( CURRENT-- ))\n"
        f"  case $command in\n{cases}\n  esac\n"
        "}\n"
        'if [ "$funcstack[1]" = "_depyf" ]; then _depyf "$@"; else compdef _depyf depyf; fi\n'
    )


def _fish(commands: dict[str, tuple[str, dict[str, str]]]) -> str:
    lines = ["# depyf completion fish: put it into ~/.config/fish/completions/depyf.fish"]
    for name, (help_, options) in commands.items():
        lines.append(f"complete -c depyf -n __fish_use_subcommand -a {name} -d {_quoted(help_)}")
        for option, text in options.items():
            kind = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            lines.append(f"complete -c depyf -n '__fish_seen_subcommand_from {name}' {kind} -d {_quoted(text)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _flat(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace(":", ";")
