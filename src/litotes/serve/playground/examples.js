// The examples of the page. A document with `answers: true` is what the query asks for, with `false` what it rejects.

export const EXAMPLES = [
  {
    name: "Medicine",
    query: "drugs that are not safe during pregnancy",
    documents: [
      { text: "Isotretinoin must not be taken during pregnancy: it harms the unborn child.", answers: true },
      { text: "Paracetamol is considered safe during pregnancy at the usual dose.", answers: false },
      { text: "This cough syrup may be taken by pregnant women without risk.", answers: false },
      { text: "Pregnant women should avoid ibuprofen after the twentieth week.", answers: true },
      { text: "Warfarin is unsafe for women who expect a child.", answers: true },
      { text: "Most drugs are tested on adults before they are tested on children." },
    ],
  },
  {
    name: "Shop",
    query: "soups other than borscht",
    documents: [
      { text: "Cold borscht, a summer soup", answers: false },
      { text: "Ukrainian borscht with beef, a hearty soup", answers: false },
      { text: "Chicken noodle soup", answers: true },
      { text: "Minestrone, a vegetable soup with beans", answers: true },
      { text: "Borscht: beetroot soup with sour cream", answers: false },
      { text: "Green salad with walnuts" },
    ],
  },
  {
    name: "Cache",
    query: "How do I turn off automatic updates?",
    documents: [
      { text: "How do I turn on automatic updates?", answers: false },
      { text: "How can I disable automatic updates?", answers: true },
      { text: "How do I stop updates from being installed by themselves?", answers: true },
      { text: "How do I check for updates?" },
      { text: "What do automatic updates contain?" },
    ],
  },
  {
    name: "Law",
    query: "The seller is not liable for defects.",
    documents: [
      { text: "The seller is liable for all defects of the goods.", answers: false },
      { text: "Liability of the seller for defects is excluded.", answers: true },
      { text: "The seller shall be liable for any defect.", answers: false },
      { text: "The buyer has no claims against the seller because of defects.", answers: true },
      { text: "The buyer must report defects within two weeks." },
    ],
  },
];

export const PAIRS = [
  { name: "Opposite", texts: ["How do I turn off dark mode?", "How do I turn on dark mode?"] },
  { name: "Same", texts: ["Do students need a visa?", "Is a visa required for students?"] },
  { name: "Direction", texts: ["Can I borrow a friend's card?", "Can I lend my card to a friend?"] },
  { name: "Number", texts: ["Was the parcel delivered on Friday?", "Was the parcel delivered on Monday?"] },
];
