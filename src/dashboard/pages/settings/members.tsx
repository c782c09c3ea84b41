import { Link, Trash2, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import { ROLES, type Role } from "../../../core/auth/role.ts";
import type {
  createMember,
  createMemberLink,
  getMembers,
  patchMember,
} from "../../../worker/http/dashboard/members.ts";
import { type Answer, type QueryState, useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, useSession, whyNot } from "../../api/session-context.ts";
import { BareSelect } from "../../forms/bare.tsx";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { DialogForm } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { Time } from "../../parts/values/format.tsx";
import { type Bulk, onePage, Table } from "../../table/table.tsx";

type Member = Answer<typeof getMembers>["members"][number];

const PATH = "/dashboard/api/members";

const ROLE_WORDS: Record<Role, string> = {
  read: "Read: view everything",
  write: "Write: change users, geofences, beacons and trips",
  admin: "Admin: settings, keys, webhooks and members",
  owner: "Owner: quota, limits, owners, disabling the project",
};

const BULK: Bulk<Member> = {
  noun: "member",
  nameOf: ({ email }) => email,
  role: "admin",
  remove: (api, { _id }) => api.delete(`${PATH}/${_id}`),
  removes: "Their sessions end within 10 seconds. Their changes stay in the audit log.",
  forgets: [PATH],
};

interface NewLink {
  email: string;
  link: string;
}

export function Members() {
  const isOwner = useMay("owner");
  const asked = useQuery<Answer<typeof getMembers>>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const [link, setLink] = useState<NewLink>();
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>Members</h2>
        <Button icon={UserPlus} needs="admin" onClick={() => setAdding(true)}>
          Add a member
        </Button>
      </div>
      <MemberTable asked={asked} onLink={setLink} onRemove={setRemoving} />
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
          send={(api) => api.delete(`${PATH}/${removing._id}`)}
          onClose={() => setRemoving(undefined)}
          forgets={[PATH]}
          said={`${removing.email} removed`}
        >
          Their sessions end within 10 seconds. Their changes stay in the audit log.
        </Confirm>
      )}
    </section>
  );
}

/** Changes of a member's role, and new links to sign in. */
function useMemberChanges(onLink: (link: NewLink) => void) {
  const forget = useForget();
  const role = useChange((api, id: string, next: Role) =>
    api.patch<Answer<typeof patchMember>>(`${PATH}/${id}`, { role: next }),
  );
  const newLink = useChange((api, id: string) => api.post<Answer<typeof createMemberLink>>(`${PATH}/${id}/link`));
  const setRole = async (member: Member, next: Role) => {
    const result = await role.run(member._id, next);
    forget(PATH);
    if (!result.ok) return;
    toast(`${member.email} is now ${next}`);
    if (result.data.link) onLink({ email: member.email, link: result.data.link });
  };
  const makeLink = async (member: Member) => {
    const result = await newLink.run(member._id);
    if (result.ok) onLink({ email: member.email, link: result.data.link });
  };
  return { setRole, makeLink, busy: role.busy, problem: role.problem ?? newLink.problem };
}

interface MemberTableProps {
  asked: QueryState<Answer<typeof getMembers>>;
  onLink: (link: NewLink) => void;
  onRemove: (member: Member) => void;
}

function MemberTable({ asked, onLink, onRemove }: MemberTableProps) {
  const mayChange = useMay("admin");
  const isOwner = useMay("owner");
  const { session } = useSession();
  const { setRole, makeLink, busy, problem } = useMemberChanges(onLink);
  const locked = (member: Member) => !mayChange || (member.role === "owner" && !isOwner);
  return (
    <>
      {problem && <Failure problem={problem} />}
      <Table
        label="Members"
        inPage
        rows={asked.data?.members ?? []}
        bulk={BULK}
        pages={onePage(asked)}
        columns={[
          { name: "Email", cell: ({ email, _id }) => `${email}${_id === session?.member._id ? " (you)" : ""}` },
          {
            name: "Role",
            width: "112px",
            cell: (member) => (
              <BareSelect
                class="in-row"
                label={`Role of ${member.email}`}
                value={member.role}
                disabled={locked(member) || busy}
                onChange={(next) => void setRole(member, next as Role)}
                options={ROLES.map((one) => [one, one, one === "owner" && !isOwner] as const)}
              />
            ),
          },
          { name: "Since", width: "104px", cell: ({ createdAt }) => <Time at={createdAt} />, isNamed: true },
          {
            name: "Change",
            width: "88px",
            right: true,
            cell: (member) => (
              <MemberButtons
                member={member}
                isLocked={locked(member)}
                onLink={() => void makeLink(member)}
                onRemove={() => onRemove(member)}
              />
            ),
          },
        ]}
      />
    </>
  );
}

interface MemberButtonsProps {
  member: Member;
  isLocked: boolean;
  onLink: () => void;
  onRemove: () => void;
}

function MemberButtons({ member, isLocked, onLink, onRemove }: MemberButtonsProps) {
  const { session } = useSession();
  return (
    <>
      <Button
        small
        icon={Link}
        label={`A sign-in link for ${member.email}`}
        disabled={isLocked}
        why={whyNot(member.role === "owner" ? "owner" : "admin")}
        onClick={onLink}
      />{" "}
      <Button
        small
        danger
        icon={Trash2}
        label={`Remove ${member.email}`}
        disabled={isLocked && member._id !== session?.member._id}
        why={whyNot("admin")}
        onClick={onRemove}
      />
    </>
  );
}

interface AddMemberProps {
  isOwner: boolean;
  onClose: () => void;
  onAdded: (email: string, link: string) => void;
}

function AddMember({ isOwner, onClose, onAdded }: AddMemberProps) {
  const form = useForm({
    saved: { email: "", role: "write" as Role },
    role: "admin",
    send: (api, { email, role }) => api.post<Answer<typeof createMember>>(PATH, { email: email.trim(), role }),
    onDone: ({ member, link }) => onAdded(member.email, link),
    forgets: [PATH],
  });
  const roles = ROLES.filter((one) => one !== "owner" || isOwner);
  return (
    <DialogForm of={form} title="Add a member" action="Add and create link" onClose={onClose}>
      <Field label="Email" type="email" {...form.field("email")} required autoFocus />
      <Select label="Role" {...form.field("role")} options={roles.map((one) => [one, ROLE_WORDS[one]] as const)} />
    </DialogForm>
  );
}
