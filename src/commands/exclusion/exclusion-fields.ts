import { resourceTypes } from "../../service/resources.ts";
import { choice, reference, resourceIds, text, toggle } from "../field.ts";
import { effects } from "./exclusion-body.ts";

/* The fields that every new exclusion has, made now, planned, or several times. */

export const whatFields = {
  resourceIds: resourceIds({
    label: "What",
    hint: "Resource groups, ids or links, separated by spaces, commas or lines",
    positional: "rest",
    redraws: true,
    typedBy: "type",
    placedBy: "project",
  }),
  type: choice(
    resourceTypes.map((type) => ({ value: type, label: type })),
    {
      label: "Resource type",
      hint: "If the ids don't show it",
      redraws: true,
      derivedFrom: "resourceIds",
      folded: true,
    },
  ),
  project: reference("project", {
    label: "Project",
    hint: "Its name or id, if the ids don't show it",
    redraws: true,
    derivedFrom: "resourceIds",
    folded: true,
  }),
} as const;

/** Whoever may not do it asks those who may allow it, without a refusal first. */
export const askField = toggle({ label: "Ask to allow it", hidden: "form", optional: true });

export const howFields = {
  process: choice(effects, { label: "Effect", initial: "stop", redraws: true, folded: true }),
  name: text({
    label: "Name",
    hint: "If empty, made from your name and the resources or their group",
    maxLength: 200,
    optional: true,
    folded: true,
  }),
  ask: askField,
  replaces: text({ label: "In place of", maxLength: 40, hidden: "all", isKept: true, optional: true }),
  projectFrom: text({ label: "Project known from", maxLength: 60, hidden: "all", optional: true }),
} as const;
