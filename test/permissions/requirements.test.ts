import { describe, expect, test } from "vitest";
import {
  exampleTicket,
  requiredFor,
  requireSchema,
  ticketAddress,
  ticketIn,
  ticketUrlSchema,
} from "../../src/permissions/requirements.ts";

const entry = (more: object) => requireSchema.safeParse([{ operations: ["RemoveUserMfa"], ...more }]);
const whyNot = (ticket: string) => entry({ ticket }).error?.issues.map(({ message }) => message);

describe("the pattern of a ticket", () => {
  test.each(["^HD-[0-9]+$", "HD-\\d{4,6}", "^[A-Z]+-[0-9]+$", "^(?:HD|OPS)-[1-9][0-9]*$", "^INC[0-9]{7}$"])(
    "may be %s",
    (pattern) => {
      expect(whyNot(pattern)).toBeUndefined();
    },
  );

  test.each([
    ["^(a+)+$", /group in brackets cannot be repeated/],
    ["^(HD-[0-9]+){2}$", /group in brackets cannot be repeated/],
    ["^a*a*a*a*-1$", /repeats at most 3 parts/],
    ["^a?a?a?a?a?a?a?-1$", /at most 6 of/],
    ["^(?=HD)HD-[0-9]+$", /look-around/],
    ["^(HD)-\\1$", /back reference/],
    ["^HD-[0-9+$", /no regular expression/],
    ["^.*$", /also fits “bob”/],
    ["^[a-z]+-[0-9]+$", /also fits “staging-2”/],
    ["x".repeat(101), /at most 100 characters/],
  ])("may not be %s", (pattern, why) => {
    expect(whyNot(pattern)).toEqual([expect.stringMatching(why)]);
  });

  test("fits the whole ticket, in small letters too where that is no usual word", () => {
    expect(ticketIn({ pattern: "HD-[0-9]+" }, "HD-12")).toBe("HD-12");
    expect(ticketIn({ pattern: "^HD-[0-9]+$" }, "hd-12")).toBe("HD-12");
    const numbered = { pattern: "#[0-9]+", url: "https://tickets.example.com/{ticket}" };
    expect(ticketIn(numbered, "<https://tickets.example.com/%2312>")).toBe("#12");
    expect(ticketIn({ pattern: "HD-[0-9]+" }, "xHD-12")).toBeUndefined();
    expect(ticketIn({ pattern: "^[A-Z]+-[0-9]+$" }, "u-00000001")).toBeUndefined();
    expect(ticketIn({ pattern: "^HD-[0-9]+$" }, `HD-${"1".repeat(70)}`)).toBeUndefined();
  });

  test("ends soon for the worst pattern and text that are taken", () => {
    const slow = { pattern: "^[a-z0-9]*[a-z0-9]*[a-z0-9]*(?:a|a)(?:a|a)(?:a|a)a?a?a?-1$" };
    expect(ticketIn(slow, "a".repeat(64))).toBeUndefined();
  });

  test.each([
    ["^HD-[0-9]+$", "HD-123"],
    ["^INC\\d{7}$", "INC1234567"],
    ["^(?:A|B)-1$", undefined],
  ])("%s has the example %s", (pattern, example) => {
    expect(exampleTicket(pattern)).toBe(example);
  });
});

describe("an entry of require", () => {
  test("must ask for something", () => {
    expect(entry({}).error?.issues.map(({ message }) => message)).toEqual(["must ask for a reason or a ticket"]);
  });

  test("counts beside others: any asks for a reason, the first with one for a ticket", () => {
    const require = requireSchema.parse([
      { operations: ["ModifyUser"], ticket: "^A-[0-9]+$" },
      { operations: ["*"], reason: true, ticket: "^B-[0-9]+$" },
    ]);
    expect(requiredFor(require, "ModifyUser")).toEqual({ reason: true, ticket: "^A-[0-9]+$" });
    expect(requiredFor(require, "DeleteCredential")).toEqual({ reason: true, ticket: "^B-[0-9]+$" });
    expect(requiredFor([], "DeleteCredential")).toEqual({ reason: false, ticket: undefined });
  });
});

describe("the address of tickets", () => {
  test.each([
    "javascript:alert({ticket})",
    "https://{ticket}.example.com/",
    "https://tracker.example.com/",
    "https://user:secret@tracker.example.com/{ticket}",
    "tracker/{ticket}",
    "https://tracker.example.com/{ticket}/{ticket}",
  ])("may not be %s", (url) => {
    expect(ticketUrlSchema.safeParse(url).success).toBe(false);
  });

  test("holds the ticket encoded", () => {
    expect(ticketAddress("https://tracker.example.com/{ticket}?a=1", "A/../b?c")).toBe(
      "https://tracker.example.com/A%2F..%2Fb%3Fc?a=1",
    );
    expect(ticketAddress(undefined, "A-1")).toBeUndefined();
  });
});
