import fc from "fast-check";

/** Repetitions for a parser that rescans the same text. */
export const pieces: readonly string[] = [
  ...`‘a 'a ‘ ' " “ „ « "a a" a‘ ' ='" =‘ a=' \` * _ ~ *x`.split(" "),
  ..."< > <@ <! <# <@a| <https: <https:a| <mailto: <mailto:a| <a> <a </ <script <script> </script </style <style> <!-- -->".split(
    " ",
  ),
  ..."& &lt; &amp &quot; -- --a --until —a [ ] { } ( ) [{ . .. a. a.b - a- _a : a: / a/ // | a| || ; , a, = a= @ a@ a@a.".split(
    " ",
  ),
  ..."i- i-a i-1 i-0a1, vol- fs- file-system/fs- arn:aws: arn:aws:rds: arn:aws:rds:::db: arn:aws:rds:::db:a.".split(
    " ",
  ),
  ..."projects/ projects/a/zones/ projects/a/zones/a/instances/ /subscriptions/ /subscriptions/a/resourceGroups/".split(
    " ",
  ),
  ..."a-a1: aaaaaa: aaaaaaa:a-a1:a amazon-ec2-instance amazon-rds-instance: 1 1: 1h 12: for until and monday Europe/".split(
    " ",
  ),
  ...[" ", "\t", "\n", "\r", "\u2028", "\u00a0", "a ", "‘ ", "--a ", "--a=b ", "1h ", "for ", "</script ", "k "],
  ...'a ab é e\u0301 \u0301 \u200b \ud83d 🦉 👩‍👩‍👧 \u202e \0 \\ \\" kkkkkkkk-'.split(" "),
];

/** One or a few repeated pieces, optionally after an opening text and before an ending that does not match. */
export interface Shape {
  readonly begin: string;
  readonly unit: string;
  readonly end: string;
}

const begins = ["", "x", '"', "<@", "a equals", "*", "i-0", "<script>"];
const ends = ["", "!", "x", "|", "x\u2028y", " ", "'"];

/** Each piece by itself, and blanks between those that allow them. */
export const plainShapes: readonly Shape[] = [
  ...pieces.map((unit) => ({ begin: "", unit, end: "x" })),
  ...begins.flatMap((begin) => ends.map((end) => ({ begin, unit: " ", end }))),
];

export const anyShape: fc.Arbitrary<Shape> = fc.record({
  begin: fc.constantFrom(...begins),
  unit: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
  end: fc.constantFrom(...ends),
});

export function textOf({ begin, unit, end }: Shape, length: number): string {
  const room = Math.max(length - begin.length - end.length, 0);
  return begin + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + end;
}

/** CPU time, not elapsed time, so other work on the machine does not count. The least of a few runs, up to one that is short enough. */
export async function leastMs(work: () => unknown, runs = 3, enoughMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least >= enoughMs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const lengths = [2000, 8000, 16_000, 32_000];
/** Times below this are too short to measure. */
const measurableMs = 8;
/** For a text four times as long: linear takes 4 times as long, quadratic 16 times. */
const mostGrowth = 9;
/** On a busy machine a few are wrong, and not all of them. */
const looks = 6;

/** The growth of the time when it is too large, or undefined when linear. Measures several times before it reports. */
export async function superlinear(parse: (text: string) => unknown, shape: Shape): Promise<string | undefined> {
  for (const length of lengths) {
    const [short, long] = [textOf(shape, length / 4), textOf(shape, length)];
    for (let looksLeft = looks; looksLeft > 0; looksLeft--) {
      const longMs = await leastMs(() => parse(long), looksLeft === looks ? 1 : 3);
      if (longMs < measurableMs) break;
      const shortMs = await leastMs(() => parse(short));
      if (longMs < mostGrowth * shortMs) break;
      if (looksLeft === 1) return `${JSON.stringify(shape)} ×4 = ${length}: from ${shortMs} to ${longMs} ms`;
    }
  }
  return undefined;
}
