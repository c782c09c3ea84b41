import { Store } from "lucide";
import { useMemo } from "preact/hooks";
import { CATEGORY_SLUGS } from "../../core/places/categories.ts";
import type { searchPlaces } from "../../worker/http/places/places.ts";
import { type Answer, type QueryState, useQuery } from "../api/hooks.ts";
import { useAddress, useQueryValues } from "../base/router.tsx";
import { BareInput } from "../forms/bare.tsx";
import { FilterBar } from "../forms/filters.tsx";
import { MapSearch } from "../map/address-search.tsx";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo } from "../map/go-to.tsx";
import { toCoordinate } from "../map/layers/features.ts";
import { type Sign, SignsLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf, readPosition } from "../map/position.ts";
import { Button, Choice } from "../parts/button.tsx";
import { choices } from "../parts/choices.ts";
import { Empty, Note } from "../parts/states.tsx";
import { type Bulk, type Column, onePage, Table } from "../table/table.tsx";
import { ChainEditor } from "./places/chain-editor.tsx";
import { ChainList } from "./places/chain-list.tsx";
import { HouseDetail, PlaceDetail } from "./places/place-detail.tsx";
import { PlaceFilters } from "./places/place-filters.tsx";

type Place = Answer<typeof searchPlaces>["places"][number];

const TABS = choices({ find: "On the map", chains: "Chains", filters: "Filters" });

const COLUMNS: readonly Column<Place>[] = [
  { name: "Place", cell: ({ name }) => name },
  {
    name: "Kind",
    width: "128px",
    cell: ({ name, chain, categories }) =>
      chain && chain.name !== name ? chain.name : <span class="muted">{categories.at(-1)}</span>,
  },
];

/** Imported data is not changed here. */
const BULK: Bulk<Place> = { noun: "place", nameOf: ({ name }) => name };

/** Search for imported places around the map center, and the project's chains and filters. */
export default function Places() {
  const { rest } = useAddress();
  const [query, setQuery] = useQueryValues();
  const tab = (TABS.find(([id]) => id === query.get("show")) ?? TABS[0])[0];
  const chosen = query.get("place") ?? "";
  const house = query.get("house") ?? "";
  const slug = rest[0] === "chain" ? (rest[1] ?? "") : "";
  const { found, signs, bounds, asks } = usePlaceSearch(query);
  return (
    <MapPage
      title="Places"
      detail={
        slug ? (
          <ChainEditor slug={slug} />
        ) : chosen ? (
          <PlaceDetail id={chosen} onClose={() => setQuery({ place: "" })} />
        ) : house ? (
          <HouseDetail id={house} onClose={() => setQuery({ house: "" })} />
        ) : undefined
      }
      map={
        <MapView label="Map of places">
          <SignsLayer source="places" signs={signs} onPick={(id) => setQuery({ place: id, house: "" }, true)} />
          <GoTo bounds={bounds} />
          <MapSearch
            onPick={({ latitude, longitude, layer, id = "" }) =>
              setQuery({
                around: `${latitude},${longitude},15`,
                place: layer === "place" ? id : "",
                house: layer === "address" ? id : "",
              })
            }
          />
        </MapView>
      }
    >
      <div class="map-tools">
        <Choice
          label="Show"
          options={TABS}
          value={tab}
          onChange={(show) => setQuery({ show: show === "find" ? "" : show })}
        />
      </div>
      {tab === "chains" && <ChainList />}
      {tab === "filters" && <PlaceFilters />}
      {tab === "find" && <PlaceSearch found={found} isAsking={asks} />}
    </MapPage>
  );
}

/** The places of the filters around a position. */
function usePlaceSearch(query: URLSearchParams) {
  const category = query.get("category") ?? "";
  const chain = query.get("chain") ?? "";
  const around = readPosition(query.get("around") ?? query.get("at"));
  const near = around ? `${around.latitude},${around.longitude}` : undefined;
  const asks = (category !== "" || chain !== "") && near !== undefined;
  const found = useQuery<Answer<typeof searchPlaces>>(asks ? "/v1/search/places" : undefined, {
    near,
    radius: 10_000,
    limit: 100,
    categories: category,
    chains: chain,
  });
  const places = found.data?.places ?? NONE;
  const signs = useMemo(
    () =>
      places.map(
        ({ _id, name, location: { coordinates } }): Sign => ({
          ...{ id: _id, name, sign: "place" },
          location: toCoordinate(coordinates),
        }),
      ),
    [places],
  );
  const bounds = useMemo(() => boundsOf(places.map(({ location }) => location.coordinates)), [places]);
  return { found, signs, bounds, asks };
}

function PlaceSearch({ found, isAsking }: { found: QueryState<Answer<typeof searchPlaces>>; isAsking: boolean }) {
  const { to } = useAddress();
  const [query, setQuery] = useQueryValues();
  const places = found.data?.places ?? NONE;
  const hrefOf = (id: string) => {
    const next = new URLSearchParams(query);
    next.set("place", id);
    next.delete("house");
    return `${to("places")}?${next}`;
  };
  return (
    <>
      <FilterBar names={["category", "chain"]}>
        <BareInput
          lazy
          label="Category"
          placeholder="Category, such as restaurant"
          list={SLUGS}
          value={query.get("category") ?? ""}
          onChange={(typed) => setQuery({ category: typed.trim() })}
        />
        <BareInput
          lazy
          label="Chain"
          placeholder="Chain slug or your id"
          value={query.get("chain") ?? ""}
          onChange={(typed) => setQuery({ chain: typed.trim() })}
        />
        <Button onClick={() => setQuery({ around: query.get("at") ?? "" })}>Search here</Button>
      </FilterBar>
      {places.length === 100 && <Note>Showing the 100 nearest places.</Note>}
      <Table
        label="Places"
        columns={COLUMNS}
        rows={places}
        hrefOf={({ _id }) => hrefOf(_id)}
        isSelected={({ _id }) => _id === query.get("place")}
        bulk={BULK}
        pages={{ ...onePage(found), loading: isAsking && !found.data && !found.problem }}
        empty={
          isAsking ? (
            <Empty icon={Store} title="No places within 10 km of the map center">
              <p>Move the map and search again. Places come from imported extracts; see Geodata.</p>
            </Empty>
          ) : (
            <Empty icon={Store} title="Search for places">
              <p>Move the map to a town, choose a category or a chain, and search.</p>
            </Empty>
          )
        }
      />
    </>
  );
}

const NONE: readonly Place[] = [];
const SLUGS = [...CATEGORY_SLUGS].sort();
