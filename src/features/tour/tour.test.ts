import { afterEach, expect, test, vi } from 'vitest';
import { placeOf } from './tour.tsx';

afterEach(() => void vi.unstubAllGlobals());

test('the text is within the window, also where that is lower than the page', () => {
  vi.stubGlobal('innerWidth', 360);
  for (const [height, y] of [
    [195, 295],
    [195, -40],
    [844, 600],
    [844, 20],
  ] as const) {
    vi.stubGlobal('innerHeight', height);
    const { top, bottom } = placeOf({ left: 0, top: y, width: 360, height: 120 });
    expect(Number(top ?? bottom), `${y} of ${height}`).toBeGreaterThanOrEqual(14);
    const cardHeight = Math.min(212, height - 28);
    expect(Number(top ?? bottom) + cardHeight, `${y} of ${height}`).toBeLessThanOrEqual(height - 14);
  }
});
