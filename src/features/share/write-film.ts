import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  QUALITY_MEDIUM,
  WebMOutputFormat,
} from 'mediabunny';

/** One picture of a film: `at` and `lasts` in seconds. */
export interface FilmFrame {
  readonly at: number;
  readonly lasts: number;
  draw(pen: CanvasRenderingContext2D): void;
}

export interface Film {
  readonly file: Blob;
  /** Of its name, with its dot. */
  readonly ending: string;
}

/** Writes pictures as a film of that size, in pixels. Rejects with the signal's reason, or in words where the browser writes none. */
export const writeFilm = async (
  { width, height }: { readonly width: number; readonly height: number },
  frames: Iterable<FilmFrame>,
  onTime: (at: number) => void,
  signal: AbortSignal,
): Promise<Film> => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d', { alpha: false });
  const webm = await getFirstEncodableVideoCodec(['vp9', 'vp8', 'av1'], { width, height });
  const codec = webm ?? (await getFirstEncodableVideoCodec(['avc'], { width, height }));
  if (codec === null || pen === null)
    throw new Error('this browser writes none. Chrome, Edge, Firefox and Safari of the last years do');
  const format = webm === null ? new Mp4OutputFormat() : new WebMOutputFormat();
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new CanvasSource(canvas, { codec, quality: QUALITY_MEDIUM });
  output.addVideoTrack(source);
  await output.start();
  try {
    for (const { at, lasts, draw } of frames) {
      signal.throwIfAborted();
      draw(pen);
      await source.add(at, lasts);
      onTime(at);
      // So that the page can draw, and hear that it is to stop.
      await new Promise((resolve) => setTimeout(resolve));
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  const file = new Blob([target.buffer ?? new ArrayBuffer(0)], { type: format.mimeType });
  return { file, ending: format.fileExtension };
};
