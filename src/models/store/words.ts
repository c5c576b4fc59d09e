const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 GB`, in steps of 1000 as disks are sold. */
export const bytesInWords = (bytes: number): string => {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
};

/** Where a file comes from and how it is called, for messages: `model.onnx from 127.0.0.1:8080`. */
export const fileInWords = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.split('/').at(-1) ?? pathname)} from ${host}`;
};
