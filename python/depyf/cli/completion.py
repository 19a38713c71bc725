# SPDX-License-Identifier: MIT
"""`depyf completion SHELL`: completion scripts for bash, zsh and fish, generated from the argument parser.

The scripts complete commands, options, and arguments: from the choices of an argument if it has some, else with files.
Invariant: a script needs nothing except the shell, and has exactly the options of the parser.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple


class Command(NamedTuple):
    """The options of a command with their help, and the choices of its argument, if it has some."""

    help: str
    options: dict[str, str]
    choices: tuple[str, ...]


def commands_of(parser: argparse.ArgumentParser) -> dict[str, Command]:
    """Returns the commands of the parser, by name."""
    (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in subparsers._choices_actions}
    commands = {}
    for name, subparser in subparsers.choices.items():
        actions = subparser._actions
        options = {o: (a.help or "").replace("%(default)s", str(a.default)) for a in actions for o in a.option_strings}
        choices = tuple(c for a in actions if not a.option_strings for c in a.choices or ())
        commands[name] = Command(helps.get(name, ""), options, choices)
    return commands


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Returns the completion script for a shell."""
    commands = commands_of(parser)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _bash(commands: dict[str, Command]) -> str:
    cases = "".join(
        f'    {name}) words="{" ".join(command.options)}" choices="{" ".join(command.choices)}" ;;\n'
        for name, command in commands.items()
    )
    return (
        "# depyf completion bash: source this, or save it as ~/.local/share/bash-completion/completions/depyf\n"
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
        "# depyf completion zsh: save it as _depyf in a folder of $fpath\n"
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
    lines = ["# depyf completion fish: save it as ~/.config/fish/completions/depyf.fish"]
    for name, command in commands.items():
        lines.append(f"complete -c depyf -n __fish_use_subcommand -a {name} -d {_quoted(command.help)}")
        complete = f"complete -c depyf -n '__fish_seen_subcommand_from {name}'"
        for option, text in command.options.items():
            kind = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            lines.append(f"{complete} {kind} -d {_quoted(text)}")
        if command.choices:
            lines.append(f"{complete} -f -a {_quoted(' '.join(command.choices))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _flat(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace(":", ";")
