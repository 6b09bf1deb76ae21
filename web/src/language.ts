// The words of the page in another language, put in the place of the English ones before anything is shown.
import { useCatalogue } from './server';
import { strings, type Strings } from './strings';

export type Language = 'en' | 'de' | 'es';

/// Each in its own words.
export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español' };

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ translation: Strings }>> = {
  de: () => import('./strings.de'),
  es: () => import('./strings.es'),
};

/// What the player chose, or the browser's language where it is known here.
export const languageOf = (chosen: Language | 'auto', offered: readonly string[]): Language => {
  if (chosen !== 'auto') return chosen;
  const known = offered.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return (known as Language | undefined) ?? 'en';
};

/// Parts of `strings` are held by other modules: they stay, their words change.
export const replaceWords = (target: Record<string, unknown>, source: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(source)) {
    const old = target[name];
    const nested = typeof value === 'object' && !Array.isArray(value);
    if (nested && old) replaceWords(old as Record<string, unknown>, value as Record<string, unknown>);
    else target[name] = value;
  }
};

export const speak = async (language: Language): Promise<void> => {
  document.documentElement.lang = language;
  if (language === 'en') return;
  const [{ translation }, { catalogue }] = await Promise.all([LOADERS[language](), import('./server.words')]);
  replaceWords(strings, translation);
  useCatalogue(catalogue, language);
};
