import type { Desk } from "../desk.ts";
import { drawHome, unavailableHome } from "./draw-home.ts";

/** Draws and publishes one person's Home tab; what could not be drawn is said there. */
export async function publishHome(desk: Desk, userId: string): Promise<void> {
  const view = await drawHome(desk, userId).catch((error: unknown) => {
    desk.log.error({ err: error, userId }, "a Home tab could not be drawn");
    return unavailableHome();
  });
  await desk.client.views.publish({ user_id: userId, view });
}
