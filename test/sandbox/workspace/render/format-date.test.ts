import { describe, expect, test } from "vitest";
import { formatDate, mrkdwnToText } from "../../../../src/sandbox/workspace/mrkdwn.ts";

const seconds = Date.parse("2014-02-18T14:39:42Z") / 1000;
const inZone = (zone: string, now?: string) => ({
  nameOf: (id: string) => id,
  zone,
  now: now === undefined ? undefined : Date.parse(now),
});
const newYork = inZone("America/New_York");

describe("a date", () => {
  test.each([
    ["{date_num}", "2014-02-18"],
    ["{date_short_pretty}", "Feb 18, 2014"],
    ["{time}", "9:39 AM"],
    ["on {date_num} at {time}", "on 2014-02-18 at 9:39 AM"],
  ])("with the format %s shows as %s", (format, shown) => {
    expect(formatDate(seconds, format, newYork)).toBe(shown);
  });

  test("shows in the viewer's zone", () => {
    const tag = `<!date^${seconds}^{date_num} {time}|then>`;
    expect(mrkdwnToText(tag, inZone("Asia/Tokyo"))).toBe("2014-02-18 11:39 PM");
    expect(mrkdwnToText(tag, inZone("Pacific/Kiritimati"))).toBe("2014-02-19 4:39 AM");
  });

  test.each([
    ["2014-02-18T23:00:00Z", "today"],
    ["2014-02-19T04:59:00Z", "today"],
    ["2014-02-19T05:01:00Z", "yesterday"],
    ["2014-02-17T12:00:00Z", "tomorrow"],
    ["2014-02-25T12:00:00Z", "Feb 18, 2014"],
  ])("at %s shows as %s", (now, shown) => {
    expect(formatDate(seconds, "{date_short_pretty}", inZone("America/New_York", now))).toBe(shown);
  });

  test("shows its fallback when it is invalid", () => {
    expect(mrkdwnToText(`<!date^${seconds}^{when}|then>`, newYork)).toBe("then");
    expect(mrkdwnToText("<!date^9999999999999^{time}|then &amp; there>", newYork)).toBe("then & there");
    expect(mrkdwnToText("<!date^^{time}|then>", newYork)).toBe("then");
    expect(formatDate(Number.NaN, "{time}", newYork)).toBeUndefined();
  });
});
