import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WINDOWS_TO_IANA_MAP } from "windows-iana";
import { describeZone, ianaZone, nearestZone, offsetAt } from "../../src/time/zone.ts";
import { anyText } from "./any-text.ts";
import { HOUR, intlWall } from "./clock-changes.ts";

const AT = Date.UTC(2026, 10, 20, 11);

describe("ianaZone", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    [" America/New_York ", "America/New_York"],
    ["Eastern Standard Time", "America/New_York"],
    ["eastern standard time", "America/New_York"],
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Central Standard Time (Mexico)", "America/Mexico_City"],
    ["UTC", "UTC"],
    ["utc", "UTC"],
    ["Etc/UTC", "UTC"],
    ["UTC+12", "Etc/GMT-12"],
    ["Europe/Kyiv", "Europe/Kyiv"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["US/Eastern", "America/New_York"],
  ])("knows %j as %s", (id, zone) => {
    expect(ianaZone(id)).toBe(zone);
  });

  test.each([
    "",
    " ",
    "Berlin",
    "Europe/Berln",
    "PST",
    "IST",
    "CST",
    "bst",
    "ACT",
    "+02:00",
    "UTC+2",
    "18:00",
    "fri",
    "Z",
  ])("does not know %j", (id) => {
    expect(ianaZone(id)).toBeUndefined();
  });

  test("returns every IANA zone unchanged, also from capitals", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      expect(ianaZone(zone)).toBe(zone);
      expect(ianaZone(zone.toUpperCase())).toBe(zone);
    }
  });

  test("maps every Windows id to a zone that Intl knows", () => {
    for (const { windowsName } of WINDOWS_TO_IANA_MAP) {
      expect(() => offsetAt(ianaZone(windowsName) ?? "none", AT), windowsName).not.toThrow();
    }
  });

  test("reads any text without throwing, and returns only zones that Intl knows", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const zone = ianaZone(text);
        if (zone !== undefined) offsetAt(zone, AT);
      }),
    );
  });
});

describe("nearestZone", () => {
  test.each([
    ["Europe/Berln", "Europe/Berlin"],
    ["Berlin", "Europe/Berlin"],
    ["new york", "America/New_York"],
    ["America/NewYork", "America/New_York"],
  ])("takes %j for %s", (text, zone) => {
    expect(nearestZone(text)).toBe(zone);
  });

  test.each(["", "PST", "please", "mars/phobos"])("has nothing near %j", (text) => {
    expect(nearestZone(text)).toBeUndefined();
  });
});

test("the offset of every zone agrees with Intl through the year", () => {
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    for (let month = 0; month < 12; month++) {
      const at = Date.UTC(2026, month, 17, month * 2, 31, 7);
      expect(at + offsetAt(zone, at) * 60_000, zone).toBe(intlWall(zone, at));
    }
  }
});

test("an offset is right between whole seconds, also before 1970", () => {
  expect(offsetAt("Europe/Berlin", AT + 999)).toBe(60);
  expect(offsetAt("Europe/Berlin", -10 * HOUR - 1)).toBe(60);
});

test.each([
  ["Europe/Berlin", "Europe/Berlin, UTC+01:00"],
  ["America/St_Johns", "America/St_Johns, UTC-03:30"],
  ["Asia/Kathmandu", "Asia/Kathmandu, UTC+05:45"],
  ["Africa/Abidjan", "Africa/Abidjan, UTC+00:00"],
  ["UTC", "UTC"],
])("%s is described as %j", (zone, words) => {
  expect(describeZone(zone, AT)).toBe(words);
});
