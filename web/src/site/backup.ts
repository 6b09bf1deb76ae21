// Everything that the page keeps, as one file: out, and in again.

import { request } from './host';

const BASE = 'tabiya';
const STORE = 'files';
const FORMAT = 'tabiya-backup-1';

interface Backup {
  format: string;
  /// Games and studies by name.
  files: Record<string, { text: string; saved: number }>;
  /// Settings, puzzle record and the like.
  settings: Record<string, string>;
}

const done = <T,>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('storage'));
  });

const openBase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(BASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
};

export const exportAll = async (): Promise<string> => {
  const answer = await request('/site/files', {});
  const backup: Backup = { format: FORMAT, files: (await answer.json()) as Backup['files'], settings: {} };
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith('tabiya-')) backup.settings[key] = localStorage.getItem(key)!;
  }
  return JSON.stringify(backup);
};

/// Games and studies of the file are added to those that are there; one with the same number as another gets a new one. Answers
/// how many files were added, or null when the text is no such file.
export const importAll = async (text: string): Promise<number | null> => {
  let backup: Backup;
  try {
    backup = JSON.parse(text) as Backup;
  } catch {
    return null;
  }
  if (backup?.format !== FORMAT || typeof backup.files !== 'object') return null;
  const transaction = (await openBase()).transaction(STORE, 'readwrite');
  const store = transaction.objectStore(STORE);
  const known = new Map<string, { text: string }>();
  const [names, files] = await Promise.all([done(store.getAllKeys()), done(store.getAll() as IDBRequest<{ text: string }[]>)]);
  names.forEach((name, index) => known.set(`${name as string}`, files[index]!));
  let added = 0;
  for (const [name, file] of Object.entries(backup.files)) {
    // The names under which the person plays.
    if (name === 'own/names.json' && !known.has(name) && typeof file?.text === 'string') store.put(file, name);
    const found = /^(games|studies|own)\/(\d+)\.(json|pgn)$/.exec(name);
    if (!found || typeof file?.text !== 'string') continue;
    if ([...known.values()].some((other) => other.text === file.text)) continue;
    let number = Number(found[2]);
    while (known.has(`${found[1]}/${number}.${found[3]}`)) number += 1;
    const target = `${found[1]}/${number}.${found[3]}`;
    // A game knows its own number.
    const body = found[1] === 'games' ? JSON.stringify({ ...(JSON.parse(file.text) as object), id: number }) : file.text;
    known.set(target, { text: body });
    store.put({ text: body, saved: file.saved }, target);
    added += 1;
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = () => reject(transaction.error ?? new Error('storage'));
  });
  for (const [key, value] of Object.entries(backup.settings ?? {})) {
    if (key.startsWith('tabiya-') && typeof value === 'string') localStorage.setItem(key, value);
  }
  return added;
};
