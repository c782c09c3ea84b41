import { Trash2 } from "lucide";
import type { getUser } from "../../../worker/http/users/users.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress, useRouter } from "../../base/router.tsx";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { UserState } from "../../map/marks/state-mark.tsx";
import { choices } from "../../parts/choices.ts";
import { DownloadButton } from "../../parts/files/downloads.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { useTabs } from "../../parts/tabs.tsx";
import { Id } from "../../parts/values/code.tsx";
import { metres, Pill, Time } from "../../parts/values/format.tsx";
import { isSeen, nameOfRecord } from "../../parts/values/names.ts";
import { UserDay } from "./user-day.tsx";
import { UserDetails } from "./user-details.tsx";
import { UserFraud } from "./user-fraud.tsx";
import type { User } from "./user-list.tsx";
import { UserTrips } from "./user-trips.tsx";
import "./users.css";

/** One user: where they are, their day, and what can be done with what is known of them. */
export function UserPage({ id }: { id: string }) {
  const { to } = useAddress();
  const path = `/v1/users/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getUser>>(path, {}, { every: 10_000 });
  const user = found.data?.user;
  const [tab, tabs] = useTabs(
    "tab",
    choices({ day: "Day and replay", details: "Details", trips: "Trips", fraud: "Fraud" }),
  );
  return (
    <>
      <PageHead
        title={
          <>
            <a href={to("users")} class="muted">
              Users
            </a>{" "}
            / {user ? nameOfRecord(user) : id}
          </>
        }
        about={user && <NowLine user={user} />}
        actions={user && <Actions user={user} path={path} />}
      />
      {found.problem && <Failure problem={found.problem} again={found.again} />}
      {!user && !found.problem && <SkeletonLines lines={8} />}
      {user && (
        <>
          {tabs}
          {tab === "day" && <UserDay user={user} path={path} />}
          {tab === "details" && <UserDetails user={user} />}
          {tab === "trips" && <UserTrips user={user} />}
          {tab === "fraud" && <UserFraud user={user} path={path} />}
        </>
      )}
    </>
  );
}

function NowLine({ user }: { user: User }) {
  const inside = [...user.geofences.map(nameOfRecord), user.place?.name];
  return (
    <span class="row wrap">
      <UserState user={user} />
      {user.fraud && !user.fraud.passed && <Pill tone="bad">Fraud checks failed</Pill>}
      {user.trip && <Pill tone="accent">On trip {user.trip.externalId}</Pill>}
      <span>
        seen <Time at={user.updatedAt} />, within {metres(user.locationAccuracy)}
        {inside.filter(Boolean).length > 0 && <>, in {inside.filter(Boolean).join(", ")}</>}
      </span>
    </span>
  );
}

function Actions({ user, path }: { user: User; path: string }) {
  const { to } = useAddress();
  const { go } = useRouter();
  return (
    <>
      <DownloadButton
        path={`${path}/export`}
        query={{ format: "zip" }}
        label="All stored data of this user: JSON, CSV and GPX in a ZIP file"
      >
        Everything
      </DownloadButton>
      <DownloadButton path={`${path}/export`} query={{ format: "gpx" }} label="The track as a GPX file">
        GPX
      </DownloadButton>
      <ConfirmButton
        button={{ danger: true, icon: Trash2, needs: "write", children: "Delete" }}
        title={`Delete ${nameOfRecord(user)}?`}
        name={[user.userId, user.deviceId].find(isSeen)}
        action="Delete permanently"
        send={(api) => api.delete(path)}
        onDone={() => go(to("users"), { replace: true })}
        forgets={["/v1/users"]}
        said={`${nameOfRecord(user)} deleted`}
      >
        <p>Deletes its records, updates, events and queued webhooks. This cannot be undone.</p>
        <Id>{user._id}</Id>
      </ConfirmButton>
    </>
  );
}
