import type { Fact } from "./answer.ts";
import { defineQuery } from "./command.ts";

export const whoami = defineQuery({
  words: "whoami",
  title: "Who am I",
  summary: "Show my roles, what I may do here, and my service user",
  operation: null,
  fields: {},
  answer: async (_input, { actor, roles, help, directory }) => {
    const linked = actor.email ? await directory.match("user", actor.email) : [];
    const facts: Fact[] = [
      { label: "Roles", value: roles.length ? { list: roles } : "none" },
      { label: "May do here", value: { list: help.map((command) => command.words) } },
      {
        label: "Service user",
        value: linked.map((user) => `${user.name ?? user.id} (${user.id})`).join(", ") || "not known",
      },
      { label: "Time zone", value: actor.timeZone },
    ];
    return { title: actor.name, items: [{ title: "", facts }] };
  },
});
