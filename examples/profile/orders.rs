//! The work: orders in JSON, parsed and transformed.

use serde_json::{Map, Value, json};

const RECORDS: u64 = 5_000;

/// About a MiB of orders.
pub(crate) fn document(seed: u64) -> String {
    let orders = (0..RECORDS).map(|n| {
        let n = n + seed * RECORDS;
        let items: Vec<_> = (0..n % 5).map(|item| json!({ "sku": format!("sku-{}", n * 7 + item), "price": item * 3 + 1 })).collect();
        json!({ "id": n, "customer": format!("customer {}", n % 97), "items": items, "note": "x".repeat(n as usize % 120) })
    });
    Value::from_iter(orders).to_string()
}

/// Parses a document, transforms it and writes it; returns how many bytes of JSON that were.
pub(crate) fn parsed_and_written(document: &str) -> usize {
    let parsed: Value = serde_json::from_str(document).expect("the document was written as JSON");
    document.len() + transformed(&parsed).to_string().len()
}

/// The sum of each customer's orders.
fn transformed(orders: &Value) -> Value {
    let mut sums = Map::new();
    for order in orders.as_array().into_iter().flatten() {
        let items = order["items"].as_array().into_iter().flatten();
        let sum: u64 = items.filter_map(|item| item["price"].as_u64()).sum();
        let customer = order["customer"].as_str().unwrap_or("unknown").to_uppercase();
        let before = sums.get(&customer).and_then(Value::as_u64).unwrap_or(0);
        sums.insert(customer, json!(before + sum));
    }
    Value::Object(sums)
}
