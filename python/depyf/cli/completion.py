# SPDX-License-Identifier: MIT
"""`depyf completion SHELL`: what bash, zsh and fish complete, made out of the parser itself.

Commands and options are completed everywhere, and an argument by its choices; where it has none, by files. Invariant:
the script needs nothing but the shell, and names no option that the parser does not have.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple


class Command(NamedTuple):
    """What a command takes: options with their help, and the choices of its argument where it has some."""

    help: str
    options: dict[str, str]
    choices: tuple[str, ...]


def commands_of(parser: argparse.ArgumentParser) -> dict[str, Command]:
    """What each command takes."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    found = {}
    for name, made in commands.choices.items():
        options = {
            o: (a.help or "").replace("%(default)s", str(a.default)) for a in made._actions for o in a.option_strings
        }
        choices = tuple(c for a in made._actions if not a.option_strings for c in a.choices or ())
        found[name] = Command(helps.get(name, ""), options, choices)
    return found


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script of a shell."""
    commands = commands_of(parser)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _bash(commands: dict[str, Command]) -> str:
    cases = "".join(
        f'    {name}) words="{" ".join(command.options)}" choices="{" ".join(command.choices)}" ;;\n'
        for name, command in commands.items()
    )
    return (
        "# depyf completion bash: source this, or put it into ~/.local/share/bash-completion/completions/depyf\n"
        "_depyf() {\n"
        '  local word="${COMP_WORDS[COMP_CWORD]}" words="" choices=""\n'
        f'  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$word")); return; fi\n'
        '  case "${COMP_WORDS[1]}" in\n'
        f"{cases}"
        "  esac\n"
        '  case "$word" in -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;\n'
        '    *) COMPREPLY=($(compgen -W "$choices" -- "$word")) ;; esac\n'
        "}\n"
        "complete -o default -F _depyf depyf  # default: files, which Readline quotes\n"
    )


def _zsh(commands: dict[str, Command]) -> str:
    described = "\n".join(f"    {_quoted(f'{name}:{command.help}')}" for name, command in commands.items())
    cases = "\n".join(
        f"    {name}) _arguments {' '.join(_quoted(f'{o}[{_flat(h)}]') for o, h in command.options.items())} "
        f"{_quoted(_zsh_arguments(command.choices))} ;;"
        for name, command in commands.items()
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


def _zsh_arguments(choices: tuple[str, ...]) -> str:
    return f"1:choice:({' '.join(choices)})" if choices else "*:file:_files"


def _fish(commands: dict[str, Command]) -> str:
    lines = ["# depyf completion fish: put it into ~/.config/fish/completions/depyf.fish"]
    for name, command in commands.items():
        lines.append(f"complete -c depyf -n __fish_use_subcommand -a {name} -d {_quoted(command.help)}")
        here = f"complete -c depyf -n '__fish_seen_subcommand_from {name}'"
        for option, text in command.options.items():
            kind = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            lines.append(f"{here} {kind} -d {_quoted(text)}")
        if command.choices:
            lines.append(f"{here} -f -a {_quoted(' '.join(command.choices))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _flat(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace(":", ";")
