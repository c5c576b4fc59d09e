/** `+1.8`, `−0.4`: a weight in log-odds. */
export const weight = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

/** `0.71`, `−0.12`: a cosine or a probability. */
export const ratio = (value: number): string => `${value < -0.004 ? '−' : ''}${Math.abs(value).toFixed(2)}`;

/** `0.4 ms`, `24 ms`, `1.2 s` */
export const duration = (ms: number): string => {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 9.95 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
};

/** `−86 %`: how much less was sent than the whole history; what was added where it was more. */
export const saving = (tokens: number, fullHistoryTokens: number): string => {
  if (fullHistoryTokens <= 0) return '±0 %';
  const exact = (tokens / fullHistoryTokens - 1) * 100;
  const percent = Math.round(exact);
  if (percent === 0) return '±0 %';
  // Something was sent: −100 % would deny it.
  if (percent === -100 && tokens > 0) return `−${Math.min(99.9, Math.abs(exact)).toFixed(1)} %`;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
};
