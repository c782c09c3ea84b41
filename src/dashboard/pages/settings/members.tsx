import { Link, Trash2, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import { ROLES, type Role } from "../../../auth/role.ts";
import type { createMember, createMemberLink, getMembers, patchMember } from "../../../http/dashboard/members.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, useSession, whyNot } from "../../api/session-context.ts";
import { Field, FormProblem, problemOf, Select } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/overlays/dialog.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Code } from "../../parts/values/code.tsx";
import { Time } from "../../parts/values/time.tsx";

type Member = Answer<typeof getMembers>["members"][number];

const PATH = "/dashboard/api/members";

const ROLE_WORDS: Record<Role, string> = {
  read: "Read: sees everything, changes nothing",
  write: "Write: changes users, geofences, beacons and trips",
  admin: "Admin: settings, keys, webhooks, geodata and members",
  owner: "Owner: quota, limits, owners, and disabling",
};

export function Members() {
  const mayChange = useMay("admin");
  const isOwner = useMay("owner");
  const { session } = useSession();
  const forget = useForget();
  const asked = useQuery<Answer<typeof getMembers>>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const [link, setLink] = useState<{ email: string; link: string }>();
  const role = useChange((api, id: string, next: Role) =>
    api.patch<Answer<typeof patchMember>>(`${PATH}/${id}`, { role: next }),
  );
  const newLink = useChange((api, id: string) => api.post<Answer<typeof createMemberLink>>(`${PATH}/${id}/link`));
  const remove = useChange((api, id: string) => api.delete(`${PATH}/${id}`));
  const locked = ({ role }: Member) => !mayChange || (role === "owner" && !isOwner);
  const setRole = async (member: Member, next: Role) => {
    const result = await role.run(member._id, next);
    forget(PATH);
    if (!result.ok) return;
    toast(`${member.email} is now ${next}`);
    if (result.data.link) setLink({ email: member.email, link: result.data.link });
  };
  const problem = role.problem ?? newLink.problem;
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>Members</h2>
        <Button icon={UserPlus} disabled={!mayChange} why={whyNot("admin")} onClick={() => setAdding(true)}>
          Add a member
        </Button>
      </div>
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      {problem && <Failure problem={problem} />}
      <Table
        label="Members"
        inPage
        rows={asked.data?.members ?? []}
        rowKey={({ _id }) => _id}
        pages={{ hasMore: false, loading: !asked.data && !asked.problem, more() {}, again: asked.again }}
        columns={[
          { name: "Email", cell: ({ email, _id }) => `${email}${_id === session?.member._id ? " (you)" : ""}` },
          {
            name: "Role",
            width: "112px",
            cell: (member) => (
              <select
                class="in-row"
                aria-label={`Role of ${member.email}`}
                value={member.role}
                disabled={locked(member) || role.busy}
                onChange={(event) => void setRole(member, event.currentTarget.value as Role)}
              >
                {ROLES.map((one) => (
                  <option key={one} value={one} disabled={one === "owner" && !isOwner}>
                    {one}
                  </option>
                ))}
              </select>
            ),
          },
          { name: "Since", width: "104px", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            name: "Change",
            width: "88px",
            right: true,
            cell: (member) => (
              <>
                <Button
                  small
                  icon={Link}
                  label={`A sign-in link for ${member.email}`}
                  disabled={locked(member)}
                  why={whyNot(member.role === "owner" ? "owner" : "admin")}
                  onClick={async () => {
                    const result = await newLink.run(member._id);
                    if (result.ok) setLink({ email: member.email, link: result.data.link });
                  }}
                />{" "}
                <Button
                  small
                  danger
                  icon={Trash2}
                  label={`Remove ${member.email}`}
                  disabled={locked(member) && member._id !== session?.member._id}
                  why={whyNot("admin")}
                  onClick={() => setRemoving(member)}
                />
              </>
            ),
          },
        ]}
      />
      {adding && (
        <AddMember
          isOwner={isOwner}
          onClose={() => setAdding(false)}
          onAdded={(email, made) => {
            setAdding(false);
            setLink({ email, link: made });
          }}
        />
      )}
      {link && (
        <Dialog title={`A link for ${link.email}`} onClose={() => setLink(undefined)}>
          <p>Send it to the member. It is valid for one sign-in within three days, and shown only once.</p>
          <Code text={link.link} label="Copy the link" wrap />
        </Dialog>
      )}
      {removing && (
        <Confirm
          title={`Remove ${removing.email}?`}
          name={removing.email}
          action="Remove"
          busy={remove.busy}
          problem={remove.problem?.message}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            if (!(await remove.run(removing._id)).ok) return;
            forget(PATH);
            toast(`${removing.email} removed`);
            setRemoving(undefined);
          }}
        >
          Their sessions end within 10 seconds. Their changes stay in the audit log.
        </Confirm>
      )}
    </section>
  );
}

function AddMember({
  isOwner,
  onClose,
  onAdded,
}: {
  isOwner: boolean;
  onClose: () => void;
  onAdded: (email: string, link: string) => void;
}) {
  const forget = useForget();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("write");
  const add = useChange((api) => api.post<Answer<typeof createMember>>(PATH, { email: email.trim(), role }));
  const roles = ROLES.filter((one) => one !== "owner" || isOwner);
  return (
    <Dialog title="Add a member" onClose={onClose}>
      <form
        class="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          const result = await add.run();
          if (!result.ok) return;
          forget(PATH);
          onAdded(result.data.member.email, result.data.link);
        }}
      >
        <Field
          label="Email"
          type="email"
          value={email}
          onChange={setEmail}
          problem={problemOf(add.problem, "email")}
          required
          autoFocus
        />
        <Select
          label="Role"
          value={role}
          onChange={setRole}
          options={roles.map((one) => [one, ROLE_WORDS[one]] as const)}
        />
        <FormProblem problem={add.problem} fields={["email"]} />
        <footer class="row dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" main busy={add.busy}>
            Add and create link
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
