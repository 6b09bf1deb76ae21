// Short sounds made on the spot: no files, nothing to load. Each can be told from the others without looking.
export type Sound = 'move' | 'capture' | 'castle' | 'check' | 'promote' | 'win' | 'loss' | 'draw' | 'right' | 'wrong' | 'clock' | 'zap';

/// A tone that glides from one frequency to another, after a pause.
interface Tone {
  from: number;
  to: number;
  after: number;
  length: number;
  type: OscillatorType;
  loud?: number;
}

const knock = (after: number, from: number, loud = 0.14): Tone => ({ from, to: from / 3, after, length: 0.06, type: 'triangle', loud });
const note = (after: number, frequency: number, length = 0.14): Tone => ({ from: frequency, to: frequency, after, length, type: 'sine' });

/// Moves are knocks, events are tunes: rising for what is good, falling for what is not.
export const TONES: Record<Sound, Tone[]> = {
  move: [knock(0, 330)],
  capture: [knock(0, 220), { from: 180, to: 60, after: 0.02, length: 0.12, type: 'square', loud: 0.07 }],
  castle: [knock(0, 330), knock(0.11, 260)],
  check: [knock(0, 330), note(0.05, 784, 0.1), note(0.16, 988, 0.12)],
  promote: [note(0, 523, 0.08), note(0.08, 659, 0.08), note(0.16, 784, 0.16)],
  win: [note(0, 523), note(0.14, 659), note(0.28, 784), note(0.42, 1047, 0.35)],
  loss: [note(0, 440), note(0.16, 370), note(0.32, 294, 0.4)],
  draw: [note(0, 440), note(0.2, 440, 0.3)],
  right: [note(0, 880, 0.08), note(0.09, 1175, 0.18)],
  wrong: [{ from: 150, to: 110, after: 0, length: 0.22, type: 'sawtooth', loud: 0.06 }],
  clock: [{ from: 1200, to: 1200, after: 0, length: 0.03, type: 'square', loud: 0.05 }],
  zap: [{ from: 1400, to: 200, after: 0, length: 0.2, type: 'sawtooth', loud: 0.08 }],
};

let context: AudioContext | null = null;

/// A browser plays nothing before the first click or key. A sound that has waited longer than this, in milliseconds, is left out:
/// otherwise all of them would come at once.
const LATE = 300;

const schedule = (context: AudioContext, tones: Tone[]): void => {
  for (const { from, to, after, length, type, loud } of tones) {
    const start = context.currentTime + after;
    const oscillator = new OscillatorNode(context, { type, frequency: from });
    const gain = new GainNode(context, { gain: 0 });
    oscillator.frequency.setValueAtTime(from, start);
    oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(loud ?? 0.1, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
  }
};

export const play = async (sound: Sound): Promise<void> => {
  try {
    context ??= new AudioContext();
    if (context.state !== 'running') {
      const asked = performance.now();
      await context.resume();
      if (performance.now() - asked > LATE) return;
    }
    schedule(context, TONES[sound]);
  } catch {
    // A machine without sound plays on in silence.
  }
};
