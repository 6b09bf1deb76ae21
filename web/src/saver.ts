// Saves studies a moment after they change: one request at a time for each, the latest text last.
import type { Chapter } from './state';
import { writeStudy } from './pgn';

/// Milliseconds between a change and its saving.
const PAUSE = 400;

export interface Saved {
  id: number;
  revision: number;
}

export interface Store {
  /// Makes a new study of a text, or replaces one; `null` when that failed.
  write(text: string, known: Saved | null): Promise<Saved | null>;
  done(key: number, saved: Saved): void;
  failed(key: number): void;
}

interface Entry {
  known: Saved | null;
  waiting: Chapter[] | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  busy: boolean;
}

export class Saver {
  private readonly entries = new Map<number, Entry>();

  constructor(private readonly store: Store) {}

  /// `key` tells studies apart before they have a number.
  save(key: number, id: number | null, revision: number, chapters: Chapter[]) {
    const known = id === null ? null : { id, revision };
    const entry = this.entries.get(key) ?? { known, waiting: null, timer: undefined, busy: false };
    this.entries.set(key, entry);
    entry.known ??= known;
    entry.waiting = chapters;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void this.flush(key), PAUSE);
  }

  /// Everything that waits, now: the page is being left.
  async flushAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((key) => this.flush(key)));
  }

  /// Whether a change still waits for an earlier one.
  get behind(): boolean {
    return [...this.entries.values()].some((entry) => entry.busy && entry.waiting !== null);
  }

  private async flush(key: number): Promise<void> {
    const entry = this.entries.get(key);
    if (!entry || entry.busy || !entry.waiting) return;
    clearTimeout(entry.timer);
    const text = writeStudy(entry.waiting);
    entry.waiting = null;
    entry.busy = true;
    const saved = await this.store.write(text, entry.known);
    entry.busy = false;
    if (saved) {
      entry.known = saved;
      if (entry.waiting) await this.flush(key);
      else this.store.done(key, saved);
    } else this.store.failed(key);
  }
}
