import { expect, it } from "vitest";
import { askFor, directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { buttonsOn, cardOf, nowOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot({ config: usersNeedAnAdmin });

it("a message about a change loses its buttons when that is undone elsewhere", async () => {
  // Only what was known before can be undone without a question.
  const enabled = await askFor(curfew(), "bob", "user enable dave@example.com");
  await press(curfew(), "carol", "Approve", enabled.card);
  const { card, changeId } = await askFor(curfew());
  await press(curfew(), "carol", "Approve", card);
  const message = await directMessage(curfew(), "bob", "You disabled dave.", changeId);
  expect(buttonsOn(message)).toContain("Undo");
  const undo = await press(curfew(), "bob", "Undo", nowOf(curfew(), card));
  await press(curfew(), "carol", "Approve", await cardOf(curfew(), undo.changeId));
  await curfew().app.idle();
  expect(buttonsOn(nowOf(curfew(), message))).toEqual([]);
  expect(textOf(nowOf(curfew(), message))).toContain("approved by <@U03CAROL>\nundone by <@U02BOB>");
});
