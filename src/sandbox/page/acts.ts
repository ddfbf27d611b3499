import { z } from "zod";

const text = z.string().min(1).max(10_000);
const id = z.string().max(300);

/** A message, the open form, or the Home tab. */
const place = z.union([z.strictObject({ channelId: id, ts: id }), z.literal("view"), z.literal("home")]);
const element = { on: place, blockId: id, actionId: id };
const wallClock = z.strictObject({ date: z.iso.date(), time: z.string().regex(/^\d{2}:\d{2}$/) });
const held = z.union([z.string().max(10_000), z.array(id).readonly(), wallClock, z.null()]);
const message = z.strictObject({ channelId: id, ts: id });

/** An act of the viewer in the workspace. */
export const pageAct = z.strictObject({
  as: id,
  act: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("type"), text, where: id, threadTs: id.exactOptional() }),
    z.strictObject({ kind: z.literal("press"), ...element, option: id.exactOptional() }),
    z.strictObject({ kind: z.literal("set"), ...element, value: held, isEntered: z.boolean().exactOptional() }),
    z.strictObject({ kind: z.literal("search"), ...element, query: z.string().max(300) }),
    z.strictObject({ kind: z.literal("submit"), viewId: id }),
    z.strictObject({ kind: z.literal("close"), viewId: id, isByX: z.boolean() }),
    z.strictObject({ kind: z.literal("shortcut"), name: id, message: message.exactOptional() }),
    z.strictObject({ kind: z.literal("home") }),
    z.strictObject({ kind: z.literal("workflow"), name: id, where: id }),
  ]),
});

export type PageAct = z.infer<typeof pageAct>["act"];

/** An act in the panel. */
export const panelAct = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("clock"), to: z.int().min(0).max(8.64e15) }),
  z.strictObject({ kind: z.literal("service"), fault: z.enum(["none", "down", "slow", "lost"]) }),
  z.strictObject({ kind: z.literal("slack"), fault: z.enum(["none", "down", "limited"]) }),
]);

export type PanelAct = z.infer<typeof panelAct>;
