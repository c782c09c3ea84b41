import { type IconNode, Plus } from "lucide";
import type { ComponentType } from "preact";
import { usePages } from "../api/hooks.ts";
import { useQueryValue, useRouter } from "../base/router.tsx";
import type { RecordDrawerProps } from "../forms/record-drawer.tsx";
import { Button } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { type Bulk, type Column, Table } from "./table.tsx";

interface RecordPageProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  /** Actions on several records, and the word for them. */
  bulk: Bulk<Row>;
  icon: IconNode;
  /** The purpose of records, shown while there are none. */
  about: string;
  Drawer: ComponentType<RecordDrawerProps>;
}

/** A list of records, each of which opens in a drawer: `?campaign=<id>`, or `?campaign=new`. */
export function RecordPage<Row extends { _id: string; createdAt: string }>(props: RecordPageProps<Row>) {
  const { title, columns, bulk, icon, about, Drawer } = props;
  const { noun } = bulk;
  const [open, setOpen] = useQueryValue(noun);
  const { path } = useRouter();
  const pages = usePages<Row>(`/v1/${noun}s`, { limit: 200 }, `${noun}s`);
  const add = (
    <Button main icon={Plus} needs="write" onClick={() => setOpen("new", { push: true })}>
      Create a {noun}
    </Button>
  );
  return (
    <>
      <PageHead title={title} actions={add} />
      <Table
        label={title}
        columns={columns}
        hrefOf={({ _id }) => `${path}?${noun}=${_id}`}
        isSelected={({ _id }) => _id === open}
        pages={pages}
        bulk={bulk}
        empty={
          <Empty icon={icon} title={`No ${noun}s yet`}>
            <p>{about}</p>
            <div class="row wrap">{add}</div>
          </Empty>
        }
      />
      {open && <Drawer key={open} id={open === "new" ? undefined : open} onClose={() => setOpen("")} />}
    </>
  );
}
