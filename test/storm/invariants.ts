// What must hold after a storm, whatever has happened in it. Pure: records in, violations out.
import { answeredIn, type Said, type Shown, type StormRecord } from './record.ts';

const REPEATED = '(repeated)';
/** What a chat is told of a message that is not answered: it was cut off, and not begun again. */
const CUT_OFF = /\brestarted\b|\brestart cut\b|\bnot delivered\b/i;

type Invariant = (record: StormRecord) => readonly string[];

/** Every violation, in words; none = the storm was survived. */
export function violationsOf(record: StormRecord): readonly string[] {
  return invariants.flatMap(holds => holds(record));
}

const invariants: readonly Invariant[] = [
  everyMessageIsAnsweredOrMarked,
  nothingIsAnsweredTwice,
  orderIsKept,
  nothingIsAnsweredElsewhere,
  repeatsAreExplained,
  effectsHappenOnce,
  effectsAreKept,
  record => record.unsettled.map(row => `unsettled: ${row}`),
  record => record.left.map(thing => `left behind: ${thing}`),
];

function everyMessageIsAnsweredOrMarked({ said, shown }: StormRecord): readonly string[] {
  return chatsOf(said).flatMap(chat => {
    const texts = shown.filter(each => each.chat === chat).map(({ text }) => text);
    const answered = new Set(texts.flatMap(answeredIn));
    const open = said.filter(each => each.chat === chat && !answered.has(each.token));
    const marks = texts.filter(text => CUT_OFF.test(text)).length;
    const runs = new Set(open.map(({ run, token }) => run ?? token));
    if (runs.size <= marks) return [];
    const tokens = open.map(({ token }) => token).join(', ');
    return [`not answered in chat ${chat}: ${tokens}, and ${marks} messages say that something was cut off`];
  });
}

function nothingIsAnsweredTwice({ shown }: StormRecord): readonly string[] {
  const plain = shown
    .filter(({ text }) => !text.startsWith(REPEATED))
    .flatMap(({ text }) => answeredIn(text));
  return repeatedIn(plain).map(token => `answered twice without a mark: ${token}`);
}

/** A repeat stands where it was sent, which is later; only the first answer of each counts. */
function orderIsKept({ said, shown }: StormRecord): readonly string[] {
  return chatsOf(said).flatMap(chat => {
    const wanted = said.filter(each => each.chat === chat).map(({ token }) => token);
    const texts = shown.filter(each => each.chat === chat).map(({ text }) => text);
    const seen = [...new Set(texts.flatMap(answeredIn))];
    const inOrder = wanted.filter(token => seen.includes(token));
    const known = seen.filter(token => wanted.includes(token));
    return known.join() === inOrder.join() ? [] : [`order in chat ${chat}: ${known} instead of ${inOrder}`];
  });
}

function nothingIsAnsweredElsewhere({ said, shown }: StormRecord): readonly string[] {
  const home = new Map(said.map(({ token, chat }) => [token, chat]));
  return shown.flatMap(({ chat, text }) =>
    answeredIn(text)
      .filter(token => home.get(token) !== chat)
      .map(token => `answered in chat ${chat}, said in ${home.get(token) ?? 'none'}: ${token}`),
  );
}

/** Something of the same content had reached the messenger before, or a kill fell between the mark and the request. */
function repeatsAreExplained({ shown, received, kills }: StormRecord): readonly string[] {
  const repeats = shown.filter(({ text }) => text.startsWith(REPEATED));
  const unexplained = repeats.filter(({ chat, text }) => {
    const plain = text.slice(REPEATED.length).trim();
    const same = (each: Shown): boolean => each.chat === chat && !each.text.startsWith(REPEATED);
    return !received.some(each => same(each) && sharesContent(each.text, plain));
  });
  if (unexplained.length <= kills) return [];
  const texts = unexplained.map(({ chat, text }) => `${chat}: ${text.slice(0, 60)}`);
  return [
    `${unexplained.length} repeats of what was never being sent, with ${kills} kills: ${texts.join('; ')}`,
  ];
}

function sharesContent(before: string, plain: string): boolean {
  const tokens = answeredIn(plain);
  // Other than answers, the note about an answer that was cut off has a text of its own.
  if (tokens.length === 0) return true;
  return tokens.some(token => before.includes(token)) || plain.startsWith(before.slice(0, 10));
}

function effectsHappenOnce({ said, effects }: StormRecord): readonly string[] {
  const home = new Map(said.map(({ token, chat }) => [token, chat]));
  const strange = effects.filter(({ token, chat }) => home.get(token) !== chat);
  return [
    ...repeatedIn(effects.map(({ token }) => token)).map(token => `done twice: ${token}`),
    ...strange.map(
      ({ token, chat }) => `done in the sandbox of chat ${chat}, where nobody asked for it: ${token}`,
    ),
  ];
}

function effectsAreKept({ effects, reported }: StormRecord): readonly string[] {
  const done = new Set(effects.map(({ token }) => token));
  return [...new Set(reported)]
    .filter(token => !done.has(token))
    .map(token => `reported as done and lost: ${token}`);
}

function chatsOf(said: readonly Said[]): readonly string[] {
  return [...new Set(said.map(({ chat }) => chat))];
}

function repeatedIn(tokens: readonly string[]): readonly string[] {
  const counts = Map.groupBy(tokens, token => token);
  return [...counts].filter(([, same]) => same.length > 1).map(([token]) => token);
}
