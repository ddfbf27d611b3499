import { expect, test } from "vitest";
import { userDisable, userEnable } from "../../src/commands/user.ts";
import type { User } from "../../src/service/resources.ts";

const undoOf = (command: typeof userDisable, status: User["status"] | "nobody knows") => {
  const before = status === "nobody knows" ? undefined : { userId: "u-1", status };
  return command.undo?.({ request: { id: "u-1" }, before, after: undefined });
};

test("undoes a status change when the user had the opposite status", () => {
  expect(undoOf(userDisable, "enabled")).toEqual({ words: "user enable", input: { user: "u-1" } });
  expect(undoOf(userEnable, "disabled")).toEqual({ words: "user disable", input: { user: "u-1" } });
});

test.each(["disabled", "pending", null, undefined, "nobody knows"])(
  "an undo does not enable a user who was %s",
  (status) => {
    expect(undoOf(userDisable, status)).toBeUndefined();
  },
);
