//! Walks a page along the axes.

use super::evaluate::{Asked, Fault, Run};
use super::syntax::{Axis, Expression, Test};
use super::value::{Item, Place, truth};
use crate::page::NodeId;

impl Run<'_> {
    /// One step from one place, predicates included; in the order of the axis.
    pub(super) fn axis(
        &mut self,
        from: Place,
        axis: Axis,
        test: &Test,
        predicates: &[Expression],
    ) -> Result<Vec<Place>, Fault> {
        let mut found = Vec::new();
        self.walk(from, axis, test, &mut found)?;
        for predicate in predicates {
            let items = found.into_iter().map(Item::Place).collect();
            found = self.filter(items, predicate)?.iter().filter_map(Item::place).collect();
        }
        Ok(found)
    }

    /// The items for which a predicate holds; a number is a position.
    pub(super) fn filter(&mut self, items: Vec<Item>, predicate: &Expression) -> Result<Vec<Item>, Fault> {
        let size = items.len();
        let mut kept = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            let asked = Asked { item: item.clone(), position: index + 1, size };
            let value = self.ask(predicate, &asked)?;
            let holds = match value.as_slice() {
                [Item::Number(number)] => *number == (index + 1) as f64,
                value => truth(value),
            };
            if holds {
                kept.push(item);
            }
        }
        Ok(kept)
    }

    fn walk(&mut self, from: Place, axis: Axis, test: &Test, found: &mut Vec<Place>) -> Result<(), Fault> {
        let page = self.page;
        if axis == Axis::Attribute {
            let count = if from.attribute == 0 { page.attributes(from.node).len() } else { 0 };
            let places = (1..=count).map(|attribute| Place { node: from.node, attribute: attribute as u32 });
            return self.take(places, test, true, found);
        }
        // An attribute has a parent, and nothing else around it.
        if from.attribute != 0 {
            let up = [NodeId::clone(&from.node)].into_iter().chain(page.ancestors(from.node)).map(Place::of);
            return match axis {
                Axis::Itself | Axis::DescendantOrSelf => self.take([from].into_iter(), test, true, found),
                Axis::Parent => self.take(up.take(1), test, false, found),
                Axis::Ancestor => self.take(up, test, false, found),
                Axis::AncestorOrSelf => self.take([from].into_iter().chain(up), test, false, found),
                _ => Ok(()),
            };
        }
        let node = from.node;
        let nodes: Box<dyn Iterator<Item = NodeId> + '_> = match axis {
            Axis::Child => Box::new(page.children(node)),
            Axis::Descendant => Box::new(page.within(node).skip(1)),
            Axis::DescendantOrSelf => Box::new(page.within(node)),
            Axis::Itself => Box::new([node].into_iter()),
            Axis::Parent => Box::new(page.parent(node).into_iter()),
            Axis::Ancestor => Box::new(page.ancestors(node)),
            Axis::AncestorOrSelf => Box::new([node].into_iter().chain(page.ancestors(node))),
            Axis::FollowingSibling => {
                Box::new(std::iter::successors(page.next(node), |node| page.next(*node)))
            }
            Axis::PrecedingSibling => {
                Box::new(std::iter::successors(page.previous(node), |node| page.previous(*node)))
            }
            Axis::Following => Box::new(page.from(page.behind(node))),
            Axis::Preceding => {
                let above: Vec<NodeId> = page.ancestors(node).collect();
                Box::new(page.before(node).filter(move |node| !above.contains(node)))
            }
            Axis::Attribute => Box::new(std::iter::empty()),
        };
        self.take(nodes.map(Place::of), test, false, found)
    }

    /// Those that pass a test. Each that is looked at is a step.
    fn take(
        &mut self,
        places: impl Iterator<Item = Place>,
        test: &Test,
        is_attribute: bool,
        found: &mut Vec<Place>,
    ) -> Result<(), Fault> {
        for place in places {
            self.step()?;
            if self.passes(place, test, is_attribute) {
                found.push(place);
            }
        }
        Ok(())
    }

    fn passes(&self, place: Place, test: &Test, is_attribute: bool) -> bool {
        let page = self.page;
        if *test == Test::Node {
            return true;
        }
        if *test == Test::Text {
            return place.is_text(page);
        }
        if !is_attribute && !place.is_element(page) {
            return false;
        }
        let name = place.name(page);
        // Names of HTML are in lower case, however the rule has them.
        let same = |wanted: &str, name: &str| {
            if page.is_xml() { wanted == name } else { wanted.eq_ignore_ascii_case(name) }
        };
        match test {
            Test::Name(wanted) => same(wanted, name),
            Test::AnyName => true,
            Test::Prefix(prefix) => name.split_once(':').is_some_and(|(found, _)| found == prefix),
            Test::Local(local) => same(local, name.rsplit(':').next().unwrap_or(name)),
            Test::Node | Test::Text => true,
            Test::Nothing => false,
        }
    }
}
