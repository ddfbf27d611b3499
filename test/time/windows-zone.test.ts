import { describe, expect, test } from "vitest";
import { describeZoneId, ianaZone, isWindowsZone, offsetAt, windowsZone } from "../../src/time/zone.ts";

const january = Date.parse("2027-01-15T12:00:00Z");

describe("the Windows id of a zone", () => {
  test.each([
    ["Europe/Berlin", "W. Europe Standard Time"],
    ["America/New_York", "Eastern Standard Time"],
    ["Asia/Kolkata", "India Standard Time"],
    ["Asia/Calcutta", "India Standard Time"],
    ["Europe/Kyiv", "FLE Standard Time"],
    ["UTC", "UTC"],
    ["Antarctica/Troll", undefined],
  ])("of %s is %s", (iana, windows) => {
    expect(windowsZone(iana)).toBe(windows);
  });

  test("names a zone with the same clock", () => {
    // Research stations change their clocks more often than the table is updated.
    const zones = Intl.supportedValuesOf("timeZone").filter((zone) => !zone.startsWith("Antarctica/"));
    const strayed = zones.filter((zone) => {
      const back = ianaZone(windowsZone(zone) ?? zone) ?? "";
      return Math.abs(offsetAt(zone, january) - offsetAt(back, january)) > 60;
    });
    expect(strayed).toEqual([]);
  });

  test("is recognized in any case, and never mistaken for an IANA id", () => {
    expect(isWindowsZone(" eastern standard time ")).toBe(true);
    expect(isWindowsZone("UTC")).toBe(true);
    expect(isWindowsZone("America/New_York")).toBe(false);
  });
});

describe("a zone's id in words", () => {
  test.each([
    ["Eastern Standard Time", "Eastern Standard Time (America/New_York, UTC-05:00)"],
    ["Europe/Berlin", "Europe/Berlin, UTC+01:00"],
    ["UTC", "UTC"],
    ["Middle-earth Time", "Middle-earth Time"],
  ])("%s includes its city and its offset", (id, words) => {
    expect(describeZoneId(id, january)).toBe(words);
  });

  test("has no offset without an instant", () => {
    expect(describeZoneId("Eastern Standard Time")).toBe("Eastern Standard Time (America/New_York)");
  });
});
