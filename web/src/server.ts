// What the server says, in the language of the page. The server speaks English; its sentences are the keys of a
// catalogue, with `{}` where a value stands. Values are translated in the same way: a fault inside an error, a motif
// inside a remark. A sentence without a translation stays as it is, and a test names it (tests/unit/server.test.mjs).

/// An English sentence and its translations; `{}` are the values in order, `{2}` is the second one.
export type Catalogue = readonly (readonly [english: string, german: string, spanish: string])[];

/// Where a language stands in a row of the catalogue.
const COLUMNS = { de: 1, es: 2 } as const;

interface Entry {
  pattern: RegExp;
  translation: string;
}

let entries: Entry[] = [];

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/// What joins sentences and lists, in the order of taking apart; before single words such as `{} queens` and `{} and {}`, which
/// the parts have inside them: `hanging queen, wins a rook and 2 queens`.
const JOINS = ['{}, {}', '{} ({})'];

/// The longest words first: `{}: {}` fits much that has a sentence of its own.
export const useCatalogue = (catalogue: Catalogue, language: keyof typeof COLUMNS): void => {
  const words = (key: string) => (JOINS.includes(key) ? '{} queens'.length + JOINS.indexOf(key) / 2 : key.replaceAll('{}', '').length);
  const pattern = (key: string) => new RegExp(`^${key.split('{}').map(escape).join('(.+?)')}$`, 's');
  entries = [...catalogue]
    .sort(([one], [other]) => words(other) - words(one))
    .map((row) => ({ pattern: pattern(row[0]), translation: row[COLUMNS[language]] }));
};

export const translated = (text: string): string => {
  for (const { pattern, translation } of entries) {
    const values = pattern.exec(text)?.slice(1);
    if (!values) continue;
    let next = 0;
    return translation.replace(/\{(\d?)\}/g, (_, which: string) => translated(values[which ? Number(which) - 1 : next++] ?? ''));
  }
  return text;
};

/// Where a message of the server has words for people.
const WORDS = new Set(['what', 'next', 'problem', 'fault', 'comment', 'over', 'reason', 'about', 'text']);
/// Only a remark's `text` is for people: a Leiserchess move has one too.
const isRemark = (message: object) => 'type' in message && message.type === 'remark';

/// The same message with its words translated.
export const inLanguage = <T>(message: T): T => {
  if (entries.length === 0 || typeof message !== 'object' || message === null) return message;
  if (Array.isArray(message)) return message.map((one) => inLanguage(one)) as T;
  const say = (value: unknown): unknown =>
    typeof value === 'string' ? translated(value) : Array.isArray(value) ? value.map(say) : inLanguage(value);
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => {
      const spoken = WORDS.has(name) && (name !== 'text' || isRemark(message));
      return [name, spoken ? say(value) : inLanguage(value)];
    }),
  ) as T;
};
