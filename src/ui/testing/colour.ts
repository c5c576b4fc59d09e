import { clamp } from '../../domain/numbers.ts';

/** Linear-light sRGB, each 0–1. */
export type Linear = readonly [number, number, number];

const clip = (value: number): number => clamp(value, 0, 1);

/** Björn Ottosson, "A perceptual color space for image processing" (2020). Hue in degrees; clipped to sRGB. */
export const oklch = (lightness: number, chroma: number, hue: number): Linear => {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
};

/** As CSS writes it: `#5d81e4`. */
export const hexOf = (colour: Linear): string => {
  const parts = colour.map((light) => {
    const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
};

const oklab = ([r, g, b]: Linear): Linear => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

/** Euclidean distance in OKLab. */
export const difference = (one: Linear, other: Linear): number => {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
};

const luminance = ([r, g, b]: Linear): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** WCAG 2.2 contrast ratio, 1–21. */
export const contrast = (one: Linear, other: Linear): number => {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
};

const seenThrough =
  (rows: readonly [Linear, Linear, Linear]) =>
  ([r, g, b]: Linear): Linear => {
    const [red, green, blue] = rows.map((row) => clip(row[0] * r + row[1] * g + row[2] * b));
    return [red ?? 0, green ?? 0, blue ?? 0];
  };

/** Machado, Oliveira and Fernandes (2009), severity 1: without the cones for red. */
export const protanopia = seenThrough([
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
]);

/** The same, without the cones for green. */
export const deuteranopia = seenThrough([
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]);
