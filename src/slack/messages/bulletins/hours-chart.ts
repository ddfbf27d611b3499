import type { HoursOf } from "../../../changes/digest/digest.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** The emoji that stand for the bars in the text beside the chart. */
export const chartColours: readonly { readonly square: string; readonly circle: string; readonly colour: Colour }[] = [
  { square: ":large_blue_square:", circle: ":large_blue_circle:", colour: [85, 172, 238] },
  { square: ":large_orange_square:", circle: ":large_orange_circle:", colour: [244, 144, 12] },
  { square: ":large_green_square:", circle: ":large_green_circle:", colour: [120, 177, 89] },
  { square: ":large_purple_square:", circle: ":large_purple_circle:", colour: [170, 142, 214] },
  { square: ":large_brown_square:", circle: ":large_brown_circle:", colour: [193, 105, 79] },
];

const width = 800;
const margin = 16;
const barHeight = 16;
const beforeHeight = 8;
const gap = 12;
const row = barHeight + beforeHeight + gap;
const white: Colour = [255, 255, 255];

/** Two columns of bars, each with a paler and narrower one for the week before. */
export async function hoursChart(columns: readonly (readonly HoursOf[])[]): Promise<Buffer> {
  const shown = columns.map((column) => column.slice(0, chartColours.length));
  const rows = Math.max(1, ...shown.map(({ length }) => length));
  // Loaded only for a digest, so that the start stays quick. In the bundle it has a default export alone.
  const { PNG } = (await import("pngjs")).default;
  const height = 2 * margin + rows * row - gap;
  const image = new PNG({ width, height, colorType: 2, inputHasAlpha: true });
  const fill = (x: number, y: number, wide: number, high: number, [red, green, blue]: Colour) => {
    for (let line = y; line < y + high; line++)
      for (let column = x; column < x + wide; column++)
        image.data.set([red, green, blue, 255], (line * width + column) * 4);
  };
  fill(0, 0, width, height, white);
  const room = width / shown.length - 2 * margin;
  for (const [index, column] of shown.entries()) {
    const longest = Math.max(1, ...column.flatMap(({ ms, beforeMs }) => [ms, beforeMs]));
    const lengthOf = (ms: number) => Math.ceil((ms / longest) * room);
    for (const [place, { ms, beforeMs }] of column.entries()) {
      const { colour } = chartColours[place] ?? { colour: white };
      const [x, y] = [margin + (index * width) / shown.length, margin + place * row];
      fill(x, y, lengthOf(ms), barHeight, colour);
      fill(x, y + barHeight, lengthOf(beforeMs), beforeHeight, paler(colour));
    }
  }
  return PNG.sync.write(image);
}

function paler([red, green, blue]: Colour): Colour {
  const half = (value: number) => Math.round((value + 2 * 255) / 3);
  return [half(red), half(green), half(blue)];
}
