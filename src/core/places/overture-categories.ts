import { rowOfSlug } from "./categories.ts";

/**
 * Categories of Overture's places taxonomy (docs.overturemaps.org/guides/places/taxonomy, release of August 2026) by the last slug
 * of the category that they become. A place takes the most specific name of its hierarchy that is in the table; one without any is
 * not imported: offices of companies, services at the customer's home, and parts of nature that the map draws.
 */
const TABLE: Record<string, string> = {
  // Food and drink
  "american-restaurant":
    "american_restaurant southern_american_restaurant soul_food cajun_and_creole_restaurant diner bar_and_grill_restaurant hawaiian_restaurant",
  "bbq-restaurant": "barbecue_restaurant smokehouse",
  "burger-restaurant": "burger_restaurant",
  "chicken-restaurant": "chicken_restaurant chicken_wings_restaurant rotisserie_chicken_restaurant",
  "chinese-restaurant":
    "chinese_restaurant dim_sum_restaurant dumpling_restaurant taiwanese_restaurant indo_chinese_restaurant",
  "french-restaurant": "french_restaurant brasserie fondue_restaurant",
  "greek-restaurant": "greek_restaurant",
  "indian-restaurant":
    "indian_restaurant pakistani_restaurant bangladeshi_restaurant sri_lankan_restaurant himalayan_restaurant",
  "italian-restaurant": "italian_restaurant piadina_restaurant",
  "japanese-restaurant": "japanese_restaurant ramen_restaurant",
  "korean-restaurant": "korean_restaurant",
  "mexican-restaurant": "mexican_restaurant taco_restaurant texmex_restaurant empanada_restaurant",
  "middle-eastern-restaurant":
    "middle_eastern_restaurant turkish_restaurant lebanese_restaurant doner_kebab_restaurant falafel_restaurant persian_restaurant arabian_restaurant syrian_restaurant israeli_restaurant kurdish_restaurant afghani_restaurant halal_restaurant egyptian_restaurant",
  "pizza-place": "pizza_restaurant pizza_delivery_service",
  "sandwich-shop": "sandwich_shop cheesesteak_restaurant hot_dog_restaurant bagel_shop wrap_restaurant",
  "seafood-restaurant": "seafood_restaurant fish_restaurant fish_and_chips_restaurant poke_restaurant",
  steakhouse: "steakhouse meat_restaurant argentine_restaurant",
  "sushi-restaurant": "sushi_restaurant",
  "thai-restaurant": "thai_restaurant",
  "vegetarian-restaurant": "vegetarian_restaurant vegan_restaurant live_and_raw_food_restaurant",
  "vietnamese-restaurant": "vietnamese_restaurant",
  "fast-food-restaurant": "fast_food_restaurant food_truck_stand friterie curry_sausage_restaurant",
  "food-court": "food_court",
  restaurant: "restaurant casual_eatery buffet_restaurant gastropub bistro tapas_bar cafeteria canteen",
  "coffee-shop": "coffee_shop coffee_roastery",
  "tea-house": "tea_room bubble_tea_shop",
  cafe: "cafe internet_cafe non_alcoholic_beverage_venue smoothie_juice_bar",
  pub: "pub irish_pub",
  "beer-garden": "beer_garden",
  brewery: "brewery distillery cidery",
  winery: "winery wine_tasting_room",
  bar: "bar cocktail_bar sports_bar wine_bar lounge alcoholic_beverage_venue hookah_bar",
  bakery: "bakery patisserie_cake_shop cupcake_shop custom_cakes_shop pie_shop pretzel_shop",
  "donut-shop": "donut_shop",
  "ice-cream-shop": "ice_cream_shop gelato_shop frozen_yogurt_shop shaved_ice_shop",
  "chocolate-shop": "chocolatier candy_store dessert_shop japanese_confectionery_shop indian_sweets_shop",
  // Shops
  supermarket:
    "grocery_store superstore organic_grocery_store asian_grocery_store international_grocery_store food_and_beverage_store",
  "convenience-store": "convenience_store kiosk",
  "butcher-shop": "butcher_shop",
  "fish-market": "fishmonger seafood_market",
  "farmers-market": "farmers_market produce_store greengrocer public_market market pick_your_own_farm",
  "liquor-store": "liquor_store beer_wine_spirits_store",
  "health-food-store": "health_food_store vitamin_and_supplement_store cheese_shop delicatessen specialty_foods_store",
  "discount-store": "discount_store second_hand_store pawn_shop antique_store flea_market outlet_store",
  "department-store": "department_store",
  "shopping-mall": "shopping_mall",
  "warehouse-store": "warehouse_club_store",
  "clothing-store":
    "clothing_store fashion_and_apparel_store fashion_boutique mens_clothing_store womens_clothing_store childrens_clothing_store lingerie_store bridal_shop",
  "shoe-store": "shoe_store",
  "jewelry-store": "jewelry_store watch_store",
  "bag-store": "luggage_store leather_goods_store handbag_store",
  "hardware-store":
    "hardware_store home_improvement_store building_supply_store do_it_yourself_store paint_store lumber_store",
  "furniture-store": "furniture_store mattress_store kitchen_and_bath_store",
  "garden-center": "nursery_and_gardening_store florist flower_market",
  "home-goods-store":
    "home_goods_store hardware_home_and_garden_store home_decor_store appliance_store carpet_store lighting_store",
  "electronics-store": "electronics_store computer_store camera_and_photography_store audio_visual_equipment_store",
  "mobile-phone-shop": "mobile_phone_store mobile_phone_accessory_store",
  bookstore:
    "bookstore used_bookstore academic_bookstore newspaper_and_magazines_store office_supply_store cards_and_stationery_store comic_books_store",
  "toy-store": "toy_store toys_and_games_store tabletop_games_store video_game_store",
  "sporting-goods-store": "sporting_goods_store sportswear_store outdoor_store hunting_and_fishing_store",
  "bicycle-shop": "bike_store bike_repair_maintenance",
  "music-store":
    "music_and_dvd_store musical_instrument_store musical_instrument_and_pro_audio_store vinyl_record_store",
  "gift-shop":
    "gift_shop flowers_and_gifts_store souvenir_store arts_crafts_and_hobby_store craft_store art_supply_store",
  "pet-store": "pet_store animal_and_pet_store aquatic_pet_store",
  "tobacco-shop": "tobacco_shop smoke_and_vape_store cannabis_dispensary",
  "cosmetics-store": "cosmetics_and_fragrance_store beauty_supply_store personal_care_and_beauty_store",
  "shopping-retail": "shopping specialty_store",
  // Cars
  "gas-station": "gas_station truck_gas_station",
  "charging-station": "ev_charging_station",
  "car-dealership": "auto_dealer used_auto_dealer motorcycle_dealer vehicle_dealer",
  "auto-parts-store": "auto_parts_store vehicle_parts_store tire_shop tire_dealer_and_repair",
  "auto-repair": "automotive_repair automotive_service auto_body_shop oil_change_station motorcycle_repair",
  "car-wash": "car_wash auto_detailing",
  "car-rental": "car_rental_service truck_rental_service",
  parking: "parking park_and_ride",
  // Travel
  airport: "airport heliport seaplane_base",
  "airport-terminal": "airport_terminal",
  "train-station": "train_station",
  "subway-station": "metro_station light_rail_and_subway_station",
  "bus-station": "bus_station public_transit_facility_or_service",
  "ferry-terminal": "ferry_service",
  "rest-area": "rest_stop truck_stop",
  marina: "marina",
  hotel: "hotel inn resort lodge lodging beach_resort ryokan service_apartment",
  motel: "motel",
  hostel: "hostel",
  "bed-and-breakfast": "bed_and_breakfast guest_house private_lodging cabin cottage",
  campground: "campground rv_park",
  // Arts and outings
  "art-gallery": "art_gallery arts_and_crafts_space cultural_center",
  museum: "museum art_museum history_museum science_museum childrens_museum",
  "movie-theatre": "movie_theater drive_in_theater",
  "concert-hall": "music_venue opera_and_ballet",
  theatre: "theatre_venue performing_arts_venue comedy_club",
  "amusement-park": "amusement_park amusement_attraction",
  "water-park": "water_park",
  aquarium: "aquarium",
  zoo: "zoo petting_zoo",
  "night-club": "dance_club nightlife_venue",
  casino: "casino gaming_venue betting_center",
  arcade: "arcade",
  "tourist-attraction":
    "castle monument fort lighthouse historic_site scenic_viewpoint sculpture_statue palace memorial_site",
  // Sport and the open air
  gym: "gym fitness_studio boot_camp",
  "yoga-studio": "yoga_studio pilates_studio dance_studio",
  "golf-course": "golf_course driving_range golf_club",
  "bowling-alley": "bowling_alley",
  "swimming-pool": "swimming_pool",
  "ice-rink": "ice_skating_rink skating_rink",
  "sports-club": "sport_or_fitness_facility sport_or_recreation_club martial_arts_club country_club sport_court",
  stadium: "stadium_arena football_stadium soccer_stadium baseball_stadium",
  park: "park dog_park state_park",
  "nature-reserve": "nature_reserve national_park wildlife_sanctuary",
  playground: "playground",
  garden: "garden botanical_garden community_garden",
  beach: "beach",
  // Health and beauty
  hospital: "hospital childrens_hospital specialty_hospital emergency_department",
  "medical-center":
    "urgent_care_clinic walk_in_clinic public_health_clinic outpatient_care_facility specialized_medical_facility primary_care_or_general_clinic surgery_center",
  doctor:
    "doctors_office family_practice pediatric_clinic dermatology obstetrics_and_gynecology internal_medicine specialized_health_care behavioral_or_mental_health_clinic physical_therapy physical_medicine_and_rehabilitation reproductive_perinatal_and_womens_care chiropractic",
  dentist: "dental_clinic general_dentistry orthodontics",
  optician: "eyewear_store optometry vision_or_eye_care_clinic",
  pharmacy: "pharmacy drugstore pharmacy_and_drug_store",
  veterinarian: "veterinarian animal_hospital emergency_pet_hospital",
  "nursing-home": "retirement_home assisted_living_facility senior_living_facility",
  "hair-salon": "hair_salon barber hair_stylist",
  "beauty-salon": "beauty_salon nail_salon tanning_salon",
  spa: "spa day_spa health_spa sauna massage_therapy medical_spa",
  "tattoo-parlor": "tattoo tattoo_and_piercing piercing",
  // Education, offices, money
  university: "college_university",
  school: "school elementary_school middle_school high_school place_of_learning private_school public_school",
  preschool: "preschool day_care_preschool child_care_and_day_care",
  "driving-school": "driving_school",
  "music-school": "music_school language_school",
  bank: "bank bank_or_credit_union credit_union",
  atm: "atm",
  "currency-exchange": "currency_exchange money_transfer_service",
  "insurance-agency": "insurance_agency",
  "post-office": "post_office",
  "real-estate-agency": "real_estate_agent",
  "law-firm": "attorney_or_law_firm notary_public",
  "travel-agency": "travel_agent",
  laundry: "laundromat dry_cleaning laundry_service",
  "storage-facility": "self_storage_facility storage_facility",
  "coworking-space": "coworking_space",
  // Public life
  "city-hall": "town_hall",
  courthouse: "courthouse",
  "police-station": "police_station",
  "fire-station": "fire_station",
  library: "library",
  "community-center": "community_center civic_center",
  "government-office": "government_office government_department department_of_motor_vehicles",
  embassy: "embassy",
  cemetery: "cemetery",
  church: "christian_place_of_worship",
  mosque: "muslim_place_of_worship",
  synagogue: "jewish_place_of_worship",
  temple: "buddhist_place_of_worship hindu_place_of_worship sikh_place_of_worship shinto_shrine",
  religion: "place_of_worship",
};

/** Slug of a category, the names that become it: for the documentation, and for tests. */
export const OVERTURE_CATEGORIES: readonly (readonly [slug: string, names: readonly string[]])[] = Object.entries(
  TABLE,
).map(([slug, names]) => [slug, names.split(" ")]);

const ROWS = new Map<string, number>();
for (const [slug, names] of OVERTURE_CATEGORIES) {
  const row = rowOfSlug(slug);
  if (row === undefined) throw new Error(`there is no category ${slug}`);
  for (const name of names) ROWS.set(name, row);
}

/** Categories that a place may have besides the first one. */
const MAX_ROWS = 4;

/**
 * Rows of the category table for a place of Overture; none where nothing in it has a counterpart.
 *
 * @param hierarchy from the general to the special; only these names for a place from before the taxonomy
 * @param alternates other categories of the place
 */
export function rowsOfOverture(hierarchy: readonly string[], alternates: readonly string[]): number[] {
  const first = hierarchy.toReversed().find((name) => ROWS.has(name));
  if (first === undefined) return [];
  const rows = new Set([first, ...alternates].map((name) => ROWS.get(name)).filter((row) => row !== undefined));
  return [...rows].slice(0, MAX_ROWS);
}
