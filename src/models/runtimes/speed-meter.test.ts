import { describe, expect, it } from 'vitest';
import { speedMeter } from './runtime.ts';

const MB = 1e6;

describe('the speed of a download', () => {
  it('is not told before half a second has passed', () => {
    const meter = speedMeter();
    expect(meter(0, 10 * MB, 0)).toEqual({ speed: null, timeLeft: null });
    expect(meter(1 * MB, 10 * MB, 400).speed).toBeNull();
    expect(meter(2 * MB, 10 * MB, 1000)).toEqual({ speed: 2 * MB, timeLeft: 4 });
  });

  it('counts only what came since it began: what was kept is not speed', () => {
    const meter = speedMeter();
    meter(900 * MB, 1000 * MB, 0);
    expect(meter(901 * MB, 1000 * MB, 1000)).toEqual({ speed: 1 * MB, timeLeft: 99 });
  });

  it('follows the line of the last seconds', () => {
    const meter = speedMeter();
    for (let second = 0; second <= 20; second += 1) meter(second * 10 * MB, null, second * 1000);
    for (let second = 21; second <= 26; second += 1) meter((200 + second - 20) * MB, null, second * 1000);
    expect(meter(207 * MB, 300 * MB, 27_000)).toEqual({ speed: 1 * MB, timeLeft: 93 });
  });

  it('says that it stands still, and then knows no time left', () => {
    const meter = speedMeter();
    meter(5 * MB, 10 * MB, 0);
    expect(meter(5 * MB, 10 * MB, 10_000)).toEqual({ speed: 0, timeLeft: null });
  });

  it('begins again when the download started over', () => {
    const meter = speedMeter();
    meter(5 * MB, 10 * MB, 0);
    meter(6 * MB, 10 * MB, 1000);
    expect(meter(0, 10 * MB, 1100).speed).toBeNull();
    expect(meter(1 * MB, 10 * MB, 2100).speed).toBe(1 * MB);
  });

  it('has no time left where the whole length is unknown', () => {
    const meter = speedMeter();
    meter(0, null, 0);
    expect(meter(3 * MB, null, 1000)).toEqual({ speed: 3 * MB, timeLeft: null });
  });
});
