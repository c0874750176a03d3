// How much a test does: `npm run soak` repeats for many minutes what `npm test` tries on a smaller scale.

export const isSoak: boolean = process.env['HERMES_SOAK_KILLS'] !== undefined;

/** How often a gateway is killed. */
export function kills(ordinarily: number): number {
  return Number(process.env['HERMES_SOAK_KILLS'] ?? ordinarily);
}

/** As many as in `npm test`, or as in `npm run soak`. */
export function scaled(ordinarily: number, soaked: number): number {
  return isSoak ? soaked : ordinarily;
}
