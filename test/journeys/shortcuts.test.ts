import { afterEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { ask, cardOf, changesSentTo, messagesAfter, send } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

const global = "Keep running";
const onMessage = "Keep these running";

withOneBot((curfew, _clock, person) => {
  const opened = (who: string) => curfew().workspace.waitFor(() => person(who).openView(), { what: `${who}'s form` });
  const said = async (text: string, where = "ops"): Promise<StoredMessage> => {
    await person("alice").type(text, where);
    const message = curfew().workspace.channel(where).messages.at(-1);
    if (message === undefined) throw new Error("Nothing was said.");
    return message;
  };
  const formOn = async (text: string, who = "alice") => {
    expect(await person(who).messageShortcut(onMessage, await said(text))).toEqual({ ok: true });
    return opened(who);
  };

  afterEach(async () => {
    for (const who of ["alice", "carol"]) if (person(who).openView()) await person(who).cancel();
  });

  describe("the global shortcut", () => {
    it("opens the empty form with the usual end, and sends the outcome by direct message", async () => {
      const sent = changesSentTo(curfew());
      expect(await person("carol").shortcut(global)).toEqual({ ok: true });
      const form = await opened("carol");
      expect(form.title).toBe("Keep running");
      expect(form.values.What?.value).toBeNull();
      expect(form.values.Until?.selected_date_time).not.toBeNull();
      const values = { What: "i-0a1", "Resource type": "amazon-ec2-instance", Project: "p-dev" };
      const { text, message } = await send(curfew(), "carol", values);
      expect(text).toContain("Keeping i-0a1 running");
      expect(message.ephemeralTo).toBeUndefined();
      expect(sent()).toEqual(["CreateActionExclusion"]);
    });

    it("refuses people without permission by direct message, and opens nothing", async () => {
      for (const who of ["alice", "bob", "gina"]) {
        const { text } = await messagesAfter(curfew(), who, () => person(who).shortcut(global), "dm");
        expect(text).toContain("Nothing was changed.");
        expect(person(who).openView()).toBeUndefined();
      }
    });
  });

  describe("the message shortcut", () => {
    it("fills in the resources in the message, each once, with their type", async () => {
      const form = await formOn("i-0b4 and i-0c5 (again: i-0b4) stop at seven & the demo is at eight <soon>");
      expect(form.values.What?.value).toBe("i-0b4, i-0c5");
      expect(form.text).toContain("2 EC2 instances in Development");
      const { text, message } = await send(curfew(), "alice");
      expect(text).toContain("Keeping i-0b4, i-0c5 running");
      expect(message.ephemeralTo, "shown in the channel of the message").toBe(person("alice").id);
    });

    it("names the resource group that contains them all, with its project", async () => {
      const form = await formOn("please keep i-0a1, i-0a2 up");
      expect(form.text).toContain("staging: 2 EC2 instances in Development (i-0a1, i-0a2)");
    });

    it("finds resources in known exclusions, although their form says nothing", async () => {
      await ask(curfew(), "carol", "exclude demo-eu-1 for 1h --type google-vm-instance --project p-dev");
      const form = await formOn("demo-eu-1: shut down again?", "carol");
      expect(form.values.What?.value).toBe("demo-eu-1");
      expect(form.values["Resource type"]).toMatchObject({ selected_option: { value: "google-vm-instance" } });
    });

    it("reads the blocks of a card", async () => {
      const { changeId } = await ask(curfew(), "carol", "exclude vol-0d4 for 1h --project p-dev");
      expect(await person("carol").messageShortcut(onMessage, await cardOf(curfew(), changeId))).toEqual({ ok: true });
      expect((await opened("carol")).values.What?.value).toBe("vol-0d4");
    });

    it("leaves the type open, and says so, when there are several", async () => {
      const form = await formOn("i-0b4 with its disk vol-0d4");
      expect(form.values.What?.value).toBe("i-0b4, vol-0d4");
      expect(form.values["Resource type"]).toMatchObject({ selected_option: null });
      expect(form.text).toContain("The resources are not of one type (amazon-ec2-instance, amazon-ebs-volume)");
    });

    it("opens an empty form, and says so, when there are no resources", async () => {
      const form = await formOn("lunch?");
      expect(form.values.What?.value).toBeNull();
      expect(form.text).toContain("No resource id was found in the message.");
    });

    it("fills in as many whole ids as fit, and says how many there are", async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `i-0${index.toString(16).padStart(8, "0")}`);
      const form = await formOn(ids.join(" "));
      const given = String(form.values.What?.value).split(", ");
      expect(given).toEqual(ids.slice(0, given.length));
      expect(form.text).toContain(`The message names 300 resources; the first ${given.length} fit here.`);
    });

    it("refuses people without permission in the message's channel, and opens nothing", async () => {
      const message = await said("i-0a1", "random");
      for (const [who, reason] of [
        ["alice", "only in <#C0OPS>: ask there"],
        ["bob", "You can't "],
        ["gina", "Only full members"],
      ] as const) {
        const refusal = await messagesAfter(
          curfew(),
          who,
          () => person(who).messageShortcut(onMessage, message),
          "random",
        );
        expect(refusal.text).toContain(reason);
        expect(refusal.message.ephemeralTo).toBe(person(who).id);
        expect(person(who).openView()).toBeUndefined();
      }
    });
  });
});
