/** Weighted mean of vectors of `dimensions` floats; the zero vector if there are none. */
export const meanVector = (
  parts: readonly { readonly vector: Float32Array; readonly weight: number }[],
  dimensions: number,
): Float32Array<ArrayBuffer> => {
  const mean = new Float32Array(dimensions);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  for (const { vector, weight } of parts) {
    for (let i = 0; i < dimensions; i += 1) mean[i] = (mean[i] ?? 0) + ((vector[i] ?? 0) * weight) / total;
  }
  return mean;
};

/** The vector at length 1; the zero vector stays as it is. */
export const normalised = (vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
};
