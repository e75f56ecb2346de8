//! The rule for a package that stands alone.

use crate::house::{Alone, House};

/// No dependency on another package of the workspace nor on what it must be built without, and no word of either.
pub(crate) fn stands_alone(house: &House, alone: &Alone) -> Vec<String> {
    let package = match house.package(alone.package) {
        Ok(package) => package,
        Err(message) => return vec![message],
    };
    let rule = format!("`{}` stands alone", alone.package);
    let members = house.packages.iter().map(|member| &*member.name).filter(|name| *name != alone.package);
    let mut faults: Vec<String> = members
        .filter(|name| package.depends_on.contains(*name))
        .map(|name| {
            format!("the manifest of `{}` names `{name}` (rule: {rule}): take the dependency out", package.name)
        })
        .collect();
    let without = alone.without.iter().filter(|name| package.built_with.contains(**name));
    faults.extend(without.map(|name| {
        format!(
            "`{0}` is built with `{name}` (rule: {rule}): `cargo tree -p {0} -i {name}` says through which dependency; take \
             that out",
            package.name
        )
    }));
    for (path, text) in &package.texts {
        for (number, line) in text.lines().enumerate() {
            let said = alone.never_says.iter().filter(|word| line.contains(**word));
            faults.extend(said.map(|word| {
                format!("{}:{}: `{word}` (rule: {rule}): say it without that name", path.display(), number + 1)
            }));
        }
    }
    faults
}
