import { useState } from "preact/hooks";
import type { explainCampaignForUser } from "../../../worker/http/campaigns/explain-campaign.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { Field } from "../../forms/fields.tsx";
import { Failure } from "../../parts/states.tsx";
import { count, plural } from "../../parts/values/format.tsx";
import { type Column, Table } from "../../table/table.tsx";
import type { Campaign } from "./campaign-draft.ts";

type Variant = NonNullable<NonNullable<Campaign["stats"]>["variants"]>[number];

const percentText = (share: number) => `${(100 * share).toFixed(1)} %`;

const figureColumn = (name: string, value: (variant: Variant) => number): Column<Variant> => ({
  ...{ name, line: "detail", right: true, width: "88px" },
  cell: (variant) => count(value(variant)),
});

const FIGURES: readonly Column<Variant>[] = [
  figureColumn("Sent", ({ sent }) => sent),
  figureColumn("Displayed", ({ displayed }) => displayed),
  figureColumn("Clicked", ({ clicked }) => clicked),
  figureColumn("Opened", ({ opened }) => opened),
];

/** How a goal was reached. */
const CONVERSION: readonly Column<Variant>[] = [
  {
    name: "Converted",
    right: true,
    cell: ({ converted, rate, users }) => (users === 0 ? `${converted} converted` : `${percentText(rate)} converted`),
  },
  {
    ...{ name: "95 % interval", line: "detail", right: true },
    cell: ({ converted, interval: [low, high], users }) =>
      users > 0 && `${percentText(low)} to ${percentText(high)}, ${converted} of ${plural(users, "user")}`,
  },
];

/** Without variants there is one message; without a goal, nothing converts. */
const columnsOf = ({ variants, goal }: Campaign): readonly Column<Variant>[] => [
  {
    name: "Variant",
    cell: ({ variant }) => (variant < 0 ? "Holdout" : variants ? String.fromCharCode(65 + variant) : "Message"),
  },
  ...(goal ? CONVERSION : []),
  ...FIGURES,
];

/** The statistics of a campaign, and why a user did not get it. */
export function Results({ campaign, path }: { campaign: Campaign; path: string }) {
  const { stats, missingImages } = campaign;
  return (
    <section class="stack">
      <h3>Statistics</h3>
      <Table
        label="Statistics"
        columns={columnsOf(campaign)}
        rows={stats?.variants ?? []}
        rowKey={({ variant }) => String(variant)}
      />
      {missingImages && <p role="status">An image could not be loaded: messages are sent without it.</p>}
      <Why path={path} />
    </section>
  );
}

function Why({ path }: { path: string }) {
  const [user, setUser] = useState("");
  const found = useQuery<Answer<typeof explainCampaignForUser>>(user.trim() === "" ? undefined : `${path}/explain`, {
    user: user.trim(),
  });
  return (
    <>
      <Field
        label="Why did this user not get it?"
        hint="userId, deviceId or _id"
        value={user}
        onChange={setUser}
        param="user"
      />
      {found.problem && <Failure problem={found.problem} again={found.again} />}
      {found.data && (
        <div role="status">
          <p>
            <strong>{found.data.sentence}</strong>
          </p>
          <ul>
            {found.data.checks.map(({ rule, passed, sentence }) => (
              <li key={rule}>
                {passed ? "✓" : "✗"} {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
