import { isJsonObject, type JsonObject } from "../json-object.ts";

export interface PlacedElement {
  readonly element: JsonObject;
  /** Its place inside the block, as the end of a JSON pointer. */
  readonly path: string;
}

/** The interactive elements of a block. */
export function elementsOf(block: JsonObject): readonly PlacedElement[] {
  const inside = block.type === "actions" && Array.isArray(block.elements) ? block.elements : [];
  const places: readonly (readonly [string, unknown])[] = [
    ["/accessory", block.type === "section" ? block.accessory : undefined],
    ["/element", block.type === "input" ? block.element : undefined],
    ...inside.map((element: unknown, index) => [`/elements/${index}`, element] as const),
  ];
  return places.flatMap(([path, element]) => (isJsonObject(element) ? [{ path, element }] : []));
}
