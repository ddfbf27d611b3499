import type { HomeView, KnownBlock } from "@slack/types";
import { refusalOf } from "../../changes/queries/queries.ts";
import type { CommandContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { rolesHeld } from "../../permissions/policy.ts";
import { contextBlock, date, type Icon, limits, literal, md, mrkdwn } from "../messages/message.ts";
import { refusalWords } from "../messages/notices.ts";
import { type HomeSources, offers, placesOf } from "./offers.ts";
import { drawSection, sections } from "./sections.ts";

/** One person's Home tab: what waits for them, what is excluded, what runs, and what was changed lately. */
export async function drawHome(sources: HomeSources, userId: string): Promise<HomeView> {
  const here = await sources.contextFor(userId, null);
  const refusal = refusalReason(sources, here);
  if (refusal) return view([line(":no_entry:", refusal)]);
  const places = await placesOf(sources, here);
  const lists = await Promise.all(sections.map((section) => drawSection(sources, section, places)));
  const asOf = md`As of ${date(here.now, here.actor.timeZone)}. Open this tab again to refresh it.`;
  return view([...offers(sources, places), ...lists.flat(), contextBlock(asOf)]);
}

/** Why this person may not use Curfew at all; undefined when they may. */
function refusalReason({ settings }: HomeSources, context: CommandContext): string | undefined {
  if (context.actor.membership !== "member") return refusalWords(refusalOf(settings(), exclusionCreate, context));
  if (rolesHeld(settings().policy, context.actor).length > 0) return undefined;
  return "You may not use Curfew: nobody has given you a role. Ask those who run it.";
}

/** Shown when a Home tab could not be drawn. */
export function unavailableHome(reference: string): HomeView {
  return view([line(":warning:", `Curfew could not load this tab (${reference}). Open it again in a moment.`)]);
}

function view(blocks: KnownBlock[]): HomeView {
  return { type: "home", blocks };
}

function line(icon: Icon, text: string): KnownBlock {
  return { type: "section", text: mrkdwn(md`${icon} ${literal(text, limits.sectionText / 2)}`) };
}
