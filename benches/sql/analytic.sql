WITH monthly AS (
    SELECT date_trunc('month', o.placed_at) AS month, c.region, p.category, sum(l.quantity * l.unit_price) AS revenue, count(DISTINCT o.customer_id) AS buyers
    FROM orders o
    JOIN line_items l ON l.order_id = o.id
    JOIN products p ON p.id = l.product_id
    JOIN customers c ON c.id = o.customer_id
    WHERE o.placed_at >= date '2025-01-01' AND o.placed_at < date '2026-01-01' AND o.state NOT IN ('cancelled', 'refunded') AND l.discount BETWEEN 0.00 AND 0.25
    GROUP BY GROUPING SETS ((date_trunc('month', o.placed_at), c.region, p.category), (c.region), ())
), ranked AS (
    SELECT m.*, rank() OVER (PARTITION BY m.region ORDER BY m.revenue DESC) AS place, sum(m.revenue) OVER (PARTITION BY m.region ORDER BY m.month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving, lag(m.revenue, 1, 0) OVER w AS previous
    FROM monthly m
    WINDOW w AS (PARTITION BY m.region, m.category ORDER BY m.month)
)
SELECT r.region, r.category, r.month, round(r.revenue, 2) AS revenue, CASE WHEN r.previous = 0 THEN NULL ELSE round(100.0 * (r.revenue - r.previous) / r.previous, 1) END AS growth, r.moving / 3 AS average, coalesce(t.target, 0) AS target
FROM ranked r
LEFT JOIN LATERAL (SELECT sum(x.amount) AS target FROM targets x WHERE x.region = r.region AND x.month = r.month) t ON true
WHERE r.place <= 10 AND (r.revenue > 1000 OR r.buyers > 50)
ORDER BY r.region, r.place, r.month DESC NULLS LAST
LIMIT 500;
SELECT s.name, n.name AS nation, sum(CASE WHEN l.returned THEN 1 ELSE 0 END)::numeric / nullif(count(*), 0) AS returned, avg(l.received_at - l.shipped_at) FILTER (WHERE l.received_at IS NOT NULL) AS days, percentile_cont(0.9) WITHIN GROUP (ORDER BY l.price * (1 - l.discount)) AS p90
FROM suppliers s, nations n, line_items l, part_suppliers ps
WHERE s.nation_id = n.id AND ps.supplier_id = s.id AND l.part_id = ps.part_id AND l.supplier_id = s.id AND l.shipped_at >= now() - interval '90 days' AND EXISTS (SELECT 1 FROM parts q WHERE q.id = l.part_id AND q.type LIKE '%STEEL' AND q.size IN (1, 5, 15, 23, 45)) AND ps.cost = (SELECT min(z.cost) FROM part_suppliers z WHERE z.part_id = ps.part_id)
GROUP BY s.name, n.name
HAVING count(*) > 20 AND sum(l.price) > (SELECT 0.01 * sum(k.price) FROM line_items k WHERE k.shipped_at >= now() - interval '90 days')
ORDER BY returned DESC, days;
WITH RECURSIVE tree (id, parent_id, path, depth) AS (
    SELECT d.id, d.parent_id, ARRAY[d.id], 1 FROM departments d WHERE d.parent_id IS NULL
    UNION ALL
    SELECT d.id, d.parent_id, t.path || d.id, t.depth + 1 FROM departments d JOIN tree t ON d.parent_id = t.id WHERE t.depth < 10 AND NOT d.id = ANY (t.path)
)
SELECT t.depth, count(*) AS departments, sum(e.salary) AS salaries, max(e.hired_at) AS latest, jsonb_agg(jsonb_build_object('id', e.id, 'name', e.first_name || ' ' || e.last_name) ORDER BY e.last_name) AS people
FROM tree t
LEFT JOIN employees e ON e.department_id = t.id AND (e.left_at IS NULL OR e.left_at > current_date)
GROUP BY ROLLUP (t.depth)
UNION
SELECT -1, 0, 0, NULL, '[]'::jsonb
EXCEPT
SELECT h.depth, h.departments, h.salaries, h.latest, h.people FROM history h WHERE h.day = current_date - 1;
