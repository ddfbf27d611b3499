import { expect, test } from "vitest";
import { userDisable, userEnable } from "../../src/commands/user.ts";
import type { User } from "../../src/service/resources.ts";

const undoOf = (command: typeof userDisable, status: User["status"] | "nobody knows") => {
  const before = status === "nobody knows" ? undefined : { userId: "u-1", status };
  return command.undo?.({ request: { id: "u-1" }, before, after: undefined });
};

test("disabling is taken back only for who was enabled before, and the reverse", () => {
  expect(undoOf(userDisable, "enabled")).toEqual({ words: "user enable", input: { user: "u-1" } });
  expect(undoOf(userEnable, "disabled")).toEqual({ words: "user disable", input: { user: "u-1" } });
});

test.each(["disabled", "pending", null, undefined, "nobody knows"])(
  "who was %s is not enabled by an undo",
  (status) => {
    expect(undoOf(userDisable, status)).toBeUndefined();
  },
);
