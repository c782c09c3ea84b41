import { Plus, Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import type { PartProps } from "./part-props.ts";

/** Renders the fields of one item. */
export interface ItemProps<Item> {
  item: Item;
  index: number;
  /** "Path 2" */
  name: string;
  put(changed: Partial<Item>): void;
  /** Remove button, for the last row. */
  remove: ComponentChildren;
}

interface ItemsProps<Item> {
  of: "marker" | "path";
  title: string;
  /** "path" */
  word: string;
  addWords: string;
  items: readonly Item[];
  /** Initial value of a new item. */
  fresh: Item;
  onItems(items: Item[]): void;
  onSpot: PartProps["onSpot"];
  children(props: ItemProps<Item>): ComponentChildren;
}

/** Things of one kind that a map has any number of, one below the other. */
export function Items<Item>({ of, title, word, addWords, items, fresh, onItems, onSpot, children }: ItemsProps<Item>) {
  const removal = (index: number) => (
    <Button
      small
      icon={Trash2}
      onClick={() => {
        onSpot(undefined);
        onItems(items.filter((_, i) => i !== index));
      }}
    >
      Remove {word} {index + 1}
    </Button>
  );
  return (
    <fieldset class="static-part stack">
      <legend>{title}</legend>
      {items.map((item, index) => {
        const name = `${word[0].toUpperCase()}${word.slice(1)} ${index + 1}`;
        const put = (changed: Partial<Item>) =>
          onItems(items.map((one, i) => (i === index ? { ...one, ...changed } : one)));
        return (
          <fieldset key={index} class="static-item static-part stack" aria-label={name}>
            {children({ item, index, name, put, remove: removal(index) })}
          </fieldset>
        );
      })}
      <div class="row">
        <Button
          small
          icon={Plus}
          onClick={() => {
            onSpot({ of, index: items.length });
            onItems([...items, fresh]);
          }}
        >
          {addWords}
        </Button>
      </div>
    </fieldset>
  );
}
