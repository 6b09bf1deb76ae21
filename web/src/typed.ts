// Moves as people type them, in the words of the notation.

/// `nc3` -> `Nc3`, `0-0` -> `O-O`, `e8q` and `e8/Q` -> `e8=Q`. A small `b` stays: it may be a pawn.
export const typedMove = (text: string): string => {
  const bare = text.trim().replace(/\s+/g, '').replace(/[!?]+$/, '');
  const castling = /^([0oO])-?\1(-?\1)?([+#])?$/.exec(bare);
  if (castling) return `O-O${castling[2] ? '-O' : ''}${castling[3] ?? ''}`;
  // Two squares are coordinates: they stay, with a small letter for a promotion.
  const coordinates = /^([a-h][1-8])[-x]?([a-h][1-8])[=\/]?([qrbn])?$/i.exec(bare);
  if (coordinates) return coordinates.slice(1).map((part) => part?.toLowerCase() ?? '').join('');
  const piece = /^[nrqk](?=[a-h1-8x])/.test(bare) ? bare[0]!.toUpperCase() + bare.slice(1) : bare;
  return piece.replace(/^([a-h](?:x[a-h])?[18])[=\/(]?([qrbn])\)?([+#]?)$/i, (_, move: string, role: string, mark: string) => `${move}=${role.toUpperCase()}${mark}`);
};
