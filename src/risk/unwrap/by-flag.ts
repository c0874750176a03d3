// Programs that run another one which a flag names: a compressor, a filter, a shell, a hook.
import { flagValues, longFlagValues, type SimpleCommand, UNKNOWN } from '../command.ts';
import { byFlag, type Inner, scripts } from './inner.ts';

type Reader = (command: SimpleCommand) => Inner[];

export const tar: Reader = command => {
  const actions = flagValues(command, 'checkpoint-action').map(action => /^exec=(.*)$/s.exec(action)?.[1]);
  return [
    ...scripts(
      'tar',
      actions.map(action => (/^\s*[\w/]*sh\s*$/.test(action ?? '') ? UNKNOWN : action)),
    ),
    ...scripts(byFlag('tar'), [
      ...flagValues(
        command,
        'to-command',
        'use-compress-program',
        'I',
        'info-script',
        'new-volume-script',
        'F',
      ),
      ...longFlagValues(command, 'rmt-command'),
      ...longFlagValues(command, 'rsh-command'),
    ]),
  ];
};

/** `-o DPkg::Pre-Invoke::=…`, and the other settings of apt that are run. */
export const apt: Reader = command =>
  scripts(
    byFlag(command.program),
    flagValues(command, 'o', 'option').map(
      option =>
        /^[\w:-]*(?:(?:pre|post)-(?:invoke|install-pkgs)[\w:-]*|proxy-auto-detect|dir::bin::[\w:-]+)=(.+)$/is.exec(
          option,
        )?.[1],
    ),
  );

export const sort: Reader = command => scripts(byFlag('sort'), longFlagValues(command, 'compress-program'));
export const split: Reader = command => scripts('split', longFlagValues(command, 'filter', 1));

/** Variables of make that name a program by habit. */
const MAKE_PROGRAM =
  /^(?:SHELL|CC|CXX|CPP|LD|AR|AS|RANLIB|YACC|LEX|MAKE|INSTALL|RM|PYTHON|NODE|GO|CARGO)=(.+)$/s;

export const make: Reader = command => {
  const { args, input } = command;
  const isFed = args.some(
    (arg, at) =>
      /^(?:-f|--file|--makefile)/.test(arg) &&
      /^(?:-|\/dev\/stdin)$/.test(arg.replace(/^-f(?=-)/, '') === arg ? (args[at + 1] ?? '') : '-'),
  );
  const rules = [...flagValues(command, 'eval'), ...(isFed ? [input?.text] : [])];
  const lines = rules.flatMap(
    text => text?.split('\n').map(line => line.replace(/^[^\t;]*:(?!=)[^;]*;?/, '').trim()) ?? [],
  );
  // A shell alone is named, not run.
  const named = args.map(arg => MAKE_PROGRAM.exec(arg)?.[1]);
  const programs = named.filter(text => !/^(?:\/(?:usr\/)?(?:local\/)?bin\/)?\w*sh$/.test(text ?? ''));
  return [...scripts('make', lines), ...scripts(byFlag('make'), programs)];
};
