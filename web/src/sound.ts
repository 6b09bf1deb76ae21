// Short sounds made on the spot: no files, nothing to load.
export type Sound = 'move' | 'capture' | 'check' | 'end' | 'zap';

let context: AudioContext | null = null;

const SHAPES: Record<Sound, { from: number; to: number; length: number; type: OscillatorType }> = {
  move: { from: 320, to: 180, length: 0.07, type: 'triangle' },
  capture: { from: 240, to: 90, length: 0.11, type: 'square' },
  check: { from: 520, to: 660, length: 0.14, type: 'triangle' },
  end: { from: 440, to: 220, length: 0.5, type: 'sine' },
  zap: { from: 1400, to: 200, length: 0.2, type: 'sawtooth' },
};

export const play = (sound: Sound): void => {
  try {
    context ??= new AudioContext();
    const { from, to, length, type } = SHAPES[sound];
    const start = context.currentTime;
    const oscillator = new OscillatorNode(context, { type, frequency: from });
    const gain = new GainNode(context, { gain: 0.12 });
    oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
  } catch {
    // A machine without sound plays on in silence.
  }
};
