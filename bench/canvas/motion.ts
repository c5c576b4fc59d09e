/** Distance the pointer is dragged per frame, in pixels. */
const DRAG = { x: 14, y: 9 };
/** Wheel delta per frame. */
const WHEEL = 20;
/** Motion reverses after this many frames, so that it stays over the forest. */
const TURN_AFTER = 40;

/** Calls `act` in every frame; resolves to the times between frames, in milliseconds. */
const everyFrame = (frames: number, act: (sign: 1 | -1) => void): Promise<number[]> =>
  new Promise((done) => {
    const times: number[] = [];
    const step = (time: number) => {
      times.push(time);
      if (times.length > frames + 1) return done(times.slice(1).map((at, index) => at - (times[index] as number)));
      act(Math.floor((times.length - 1) / TURN_AFTER) % 2 === 0 ? 1 : -1);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

const pane = () => {
  const element = document.querySelector('.react-flow__pane') as HTMLElement;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { element, x: left + width / 2, y: top + height / 2 };
};

/** Drags the canvas back and forth. */
export const pan = async (frames: number): Promise<number[]> => {
  const { element, x, y } = pane();
  let at = { clientX: x, clientY: y };
  const mouse = (type: string) =>
    new MouseEvent(type, { ...at, bubbles: true, cancelable: true, view: window, button: 0, buttons: 1 });
  element.dispatchEvent(mouse('mousedown'));
  const times = await everyFrame(frames, (sign) => {
    at = { clientX: at.clientX + sign * DRAG.x, clientY: at.clientY + sign * DRAG.y };
    window.dispatchEvent(mouse('mousemove'));
  });
  window.dispatchEvent(mouse('mouseup'));
  return times;
};

/** Zooms in and out again around the centre. */
export const zoom = (frames: number): Promise<number[]> => {
  const { element, x, y } = pane();
  return everyFrame(frames, (sign) => {
    const how = { clientX: x, clientY: y, deltaY: -sign * WHEEL, bubbles: true, cancelable: true, view: window };
    element.dispatchEvent(new WheelEvent('wheel', how));
  });
};
