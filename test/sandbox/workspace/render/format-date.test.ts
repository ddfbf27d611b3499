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
    ["{date}", "February 18th, 2014"],
    ["{date_short}", "Feb 18, 2014"],
    ["{date_long}", "Tuesday, February 18th, 2014"],
    ["{date_pretty}", "February 18th, 2014"],
    ["{date_short_pretty}", "Feb 18, 2014"],
    ["{date_long_pretty}", "Tuesday, February 18th, 2014"],
    ["{time}", "9:39 AM"],
    ["{time_secs}", "9:39:42 AM"],
    ["{ago}", "Feb 18, 2014 at 9:39 AM"],
    ["on {date_num} at {time}", "on 2014-02-18 at 9:39 AM"],
  ])("with the format %s shows as %s", (format, shown) => {
    expect(formatDate(seconds, format, newYork, "mrkdwn")).toBe(shown);
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
    ["2014-02-25T12:00:00Z", "February 18th"],
    ["2015-02-25T12:00:00Z", "February 18th, 2014"],
  ])("at %s shows as %s", (now, shown) => {
    expect(formatDate(seconds, "{date_pretty}", inZone("America/New_York", now), "mrkdwn")).toBe(shown);
  });

  test.each([
    ["2014-02-18T14:40:12Z", "30 seconds ago"],
    ["2014-02-18T14:43:00Z", "3 minutes ago"],
    ["2014-02-18T12:39:00Z", "in 2 hours"],
    ["2014-02-20T15:00:00Z", "2 days ago"],
  ])("at %s shows the past as %s", (now, shown) => {
    expect(formatDate(seconds, "{ago}", inZone("UTC", now), "mrkdwn")).toBe(shown);
  });

  test("shows its fallback when it is invalid", () => {
    expect(mrkdwnToText(`<!date^${seconds}^{when}|then>`, newYork)).toBe("then");
    expect(mrkdwnToText("<!date^9999999999999^{date}|then &amp; there>", newYork)).toBe("then & there");
    expect(mrkdwnToText("<!date^^{date}|then>", newYork)).toBe("then");
  });

  test("has tokens that only rich text supports", () => {
    expect(formatDate(seconds, "{date_slash}", newYork, "rich_text")).toBe("18/02/2014");
    expect(formatDate(seconds, "{date_long_full}", newYork, "rich_text")).toBe("February 18, 2014");
    expect(formatDate(seconds, "{date_slash}", newYork, "mrkdwn")).toBeUndefined();
    expect(formatDate(Number.NaN, "{date}", newYork, "rich_text")).toBeUndefined();
  });
});
