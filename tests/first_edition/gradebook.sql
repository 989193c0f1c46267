BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('e43177bfe90b');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	course_id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	FOREIGN KEY(course_id) REFERENCES course (id)
);
INSERT INTO "assignment" VALUES('e4da75c05ba04372b1f20bd728e2f999','01-bayes-theorem',NULL,'');
INSERT INTO "assignment" VALUES('c06fa1c6d35743669e52acc27b7fa8aa','16-bagging-and-boosting',NULL,'');
CREATE TABLE base_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32) NOT NULL, 
	type VARCHAR(50), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id, type), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "base_cell" VALUES('3da8d593a5054fb984d0b56237e4d0fa','posterior','95a12cc510034ff198e07e3869bfaf08','GradeCell');
INSERT INTO "base_cell" VALUES('22e578ee65a944eeac126e6bca578d27','belief_after','95a12cc510034ff198e07e3869bfaf08','GradeCell');
INSERT INTO "base_cell" VALUES('0749db0abf074d878598476789926698','share_sick','95a12cc510034ff198e07e3869bfaf08','GradeCell');
INSERT INTO "base_cell" VALUES('07b4aee7396a4dd98a831089e5472a4f','reading','95a12cc510034ff198e07e3869bfaf08','GradeCell');
INSERT INTO "base_cell" VALUES('6c4a36615e8a4a5bb4c94182c015aced','why','95a12cc510034ff198e07e3869bfaf08','GradeCell');
INSERT INTO "base_cell" VALUES('89e3f9ca827c4192aca7eabda92cdb33','posterior-answer','95a12cc510034ff198e07e3869bfaf08','SolutionCell');
INSERT INTO "base_cell" VALUES('a0e7178d144644d0930a6147935e5c80','belief_after-answer','95a12cc510034ff198e07e3869bfaf08','SolutionCell');
INSERT INTO "base_cell" VALUES('bc55aacb4a3a49f08b68ee8a831f6d4c','share_sick-answer','95a12cc510034ff198e07e3869bfaf08','SolutionCell');
INSERT INTO "base_cell" VALUES('a2a8bb0c4ef640dc9018657c94f75219','reading-answer','95a12cc510034ff198e07e3869bfaf08','SolutionCell');
INSERT INTO "base_cell" VALUES('a72533db28ed455d9eb61f8d27bb449a','why','95a12cc510034ff198e07e3869bfaf08','SolutionCell');
INSERT INTO "base_cell" VALUES('0861912a075840c5beb42652da921595','adaboost','582ca714af60417fb834803bae2a39b6','GradeCell');
INSERT INTO "base_cell" VALUES('61e34c793a804eedb062ec6225f8c2d6','out_of_bag','582ca714af60417fb834803bae2a39b6','GradeCell');
INSERT INTO "base_cell" VALUES('a6bb70ff114e409ba06b1bd42c6d8c28','heard','582ca714af60417fb834803bae2a39b6','GradeCell');
INSERT INTO "base_cell" VALUES('1c09789885594ae1a05407e38fe20ba2','reading','582ca714af60417fb834803bae2a39b6','GradeCell');
INSERT INTO "base_cell" VALUES('193ac445642b4629b86728db8c43ce3b','why','582ca714af60417fb834803bae2a39b6','GradeCell');
INSERT INTO "base_cell" VALUES('16fc7da14eb54d70b89ce522ef30c869','adaboost-answer','582ca714af60417fb834803bae2a39b6','SolutionCell');
INSERT INTO "base_cell" VALUES('531b54fd2f9f4b48838101a2370be761','out_of_bag-answer','582ca714af60417fb834803bae2a39b6','SolutionCell');
INSERT INTO "base_cell" VALUES('645b284d5e0d49eb82d0815dbd93900e','heard-answer','582ca714af60417fb834803bae2a39b6','SolutionCell');
INSERT INTO "base_cell" VALUES('9223b1bacaf247bba739c93a7d711181','reading-answer','582ca714af60417fb834803bae2a39b6','SolutionCell');
INSERT INTO "base_cell" VALUES('c00e655856454bc18ca871427f8d436d','why','582ca714af60417fb834803bae2a39b6','SolutionCell');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "comment" VALUES('bc58f5ab534c41338218f4b63a1f3c9b','10f072d1c6074760ad5d6ddc9307de58','89e3f9ca827c4192aca7eabda92cdb33',NULL,NULL);
INSERT INTO "comment" VALUES('66ad93514d1f4078870c2f84d05307e1','10f072d1c6074760ad5d6ddc9307de58','a0e7178d144644d0930a6147935e5c80',NULL,NULL);
INSERT INTO "comment" VALUES('e020d08da06c48cf9a6cf3dbd510cbb3','10f072d1c6074760ad5d6ddc9307de58','bc55aacb4a3a49f08b68ee8a831f6d4c',NULL,NULL);
INSERT INTO "comment" VALUES('6fd84953bf25413dbbdd55bd74147e2e','10f072d1c6074760ad5d6ddc9307de58','a2a8bb0c4ef640dc9018657c94f75219',NULL,NULL);
INSERT INTO "comment" VALUES('299556d0e2cc4577a01bd7626d085b9a','10f072d1c6074760ad5d6ddc9307de58','a72533db28ed455d9eb61f8d27bb449a',NULL,NULL);
INSERT INTO "comment" VALUES('9f16db84d3c34d1b8ce78c485b84bef7','cbd96a485bd34846af4cfa67aeedd9e0','89e3f9ca827c4192aca7eabda92cdb33','Not written yet.',NULL);
INSERT INTO "comment" VALUES('2f87b53c6fb54eb68b3ad8d663a2556b','cbd96a485bd34846af4cfa67aeedd9e0','a0e7178d144644d0930a6147935e5c80','Not written yet.',NULL);
INSERT INTO "comment" VALUES('ab7dd0ee86874b1d9e34dfb0394d3236','cbd96a485bd34846af4cfa67aeedd9e0','bc55aacb4a3a49f08b68ee8a831f6d4c','No answer: it is None.',NULL);
INSERT INTO "comment" VALUES('e2cb958676814cc2808eb0a16116639d','cbd96a485bd34846af4cfa67aeedd9e0','a2a8bb0c4ef640dc9018657c94f75219','No answer: it is None.',NULL);
INSERT INTO "comment" VALUES('eaeb996596e9421892ea1dcf4a21a794','cbd96a485bd34846af4cfa67aeedd9e0','a72533db28ed455d9eb61f8d27bb449a','No answer: the text is as it was handed out.',NULL);
INSERT INTO "comment" VALUES('dce2372f0a0d4d519547b658f2db1049','41f06bce3b764d88b5a6fd0cbd79fbea','16fc7da14eb54d70b89ce522ef30c869',NULL,NULL);
INSERT INTO "comment" VALUES('332299984a72468dbcae36431d9b258c','41f06bce3b764d88b5a6fd0cbd79fbea','531b54fd2f9f4b48838101a2370be761',NULL,NULL);
INSERT INTO "comment" VALUES('1f26349bebd24981bfc3a023487ff168','41f06bce3b764d88b5a6fd0cbd79fbea','645b284d5e0d49eb82d0815dbd93900e',NULL,NULL);
INSERT INTO "comment" VALUES('9d228886abf8485c9706d15a927f5ab5','41f06bce3b764d88b5a6fd0cbd79fbea','9223b1bacaf247bba739c93a7d711181',NULL,NULL);
INSERT INTO "comment" VALUES('a165bee3d02f4ac8be6e17ab157bc141','41f06bce3b764d88b5a6fd0cbd79fbea','c00e655856454bc18ca871427f8d436d',NULL,NULL);
INSERT INTO "comment" VALUES('1d4a6c9bce784627bbd6a95390450928','9ea91df88dc54f3c9b8a14145244d0d1','16fc7da14eb54d70b89ce522ef30c869','Not written yet.',NULL);
INSERT INTO "comment" VALUES('ac5541ef77c44883b10f318e6edab384','9ea91df88dc54f3c9b8a14145244d0d1','531b54fd2f9f4b48838101a2370be761','Not written yet.',NULL);
INSERT INTO "comment" VALUES('52643492be264e92a2f5b2378302ea10','9ea91df88dc54f3c9b8a14145244d0d1','645b284d5e0d49eb82d0815dbd93900e','No answer: it is None.',NULL);
INSERT INTO "comment" VALUES('d1d20dbc4fae4cbf9fc43ac509cb36c0','9ea91df88dc54f3c9b8a14145244d0d1','9223b1bacaf247bba739c93a7d711181','No answer: it is None.',NULL);
INSERT INTO "comment" VALUES('358d1912a93240e788f0605ba6417106','9ea91df88dc54f3c9b8a14145244d0d1','c00e655856454bc18ca871427f8d436d','No answer: the text is as it was handed out.',NULL);
CREATE TABLE course (
	id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (id)
);
INSERT INTO "course" VALUES('default_course');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "grade" VALUES('f938b920cdae4807b4c2d16cff3806fa','10f072d1c6074760ad5d6ddc9307de58','3da8d593a5054fb984d0b56237e4d0fa',3.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('31c1c806e64c4b8da70c8518b2038983','10f072d1c6074760ad5d6ddc9307de58','22e578ee65a944eeac126e6bca578d27',3.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('ad657923410447e9835c35b02ba17365','10f072d1c6074760ad5d6ddc9307de58','0749db0abf074d878598476789926698',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('14126e3a061540ad8a744b2d18bb6a38','10f072d1c6074760ad5d6ddc9307de58','07b4aee7396a4dd98a831089e5472a4f',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('4522c67cdff04b3b97deb62fe884aa4c','10f072d1c6074760ad5d6ddc9307de58','6c4a36615e8a4a5bb4c94182c015aced',NULL,NULL,NULL,1);
INSERT INTO "grade" VALUES('efd6d821d33641a4abfb9b704d1c740f','cbd96a485bd34846af4cfa67aeedd9e0','3da8d593a5054fb984d0b56237e4d0fa',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('1b649da81c8d41b99351aab86c349e6a','cbd96a485bd34846af4cfa67aeedd9e0','22e578ee65a944eeac126e6bca578d27',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('19da3357ee5241e8a48b4f0e975f1dac','cbd96a485bd34846af4cfa67aeedd9e0','0749db0abf074d878598476789926698',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('c98bdb1c89184cc282f30184f4a9dee1','cbd96a485bd34846af4cfa67aeedd9e0','07b4aee7396a4dd98a831089e5472a4f',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('8d9ab347997b4a8fbc9c6321e4eced90','cbd96a485bd34846af4cfa67aeedd9e0','6c4a36615e8a4a5bb4c94182c015aced',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('d3105f3989694f0e916b373507d67111','41f06bce3b764d88b5a6fd0cbd79fbea','0861912a075840c5beb42652da921595',4.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('621ee19d3a6f4e74b2228fa9db359300','41f06bce3b764d88b5a6fd0cbd79fbea','61e34c793a804eedb062ec6225f8c2d6',2.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('4c601f18050948318afac6058647a2a6','41f06bce3b764d88b5a6fd0cbd79fbea','a6bb70ff114e409ba06b1bd42c6d8c28',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('21ef7810375946f09aef13037dabb25c','41f06bce3b764d88b5a6fd0cbd79fbea','1c09789885594ae1a05407e38fe20ba2',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('d4954dde088a4cc79b01dabf3e71ba73','41f06bce3b764d88b5a6fd0cbd79fbea','193ac445642b4629b86728db8c43ce3b',NULL,NULL,NULL,1);
INSERT INTO "grade" VALUES('8a7870fcfc8d48bd9bc7c47e8356662e','9ea91df88dc54f3c9b8a14145244d0d1','0861912a075840c5beb42652da921595',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('86129c27de124949b73eedb6d03d5750','9ea91df88dc54f3c9b8a14145244d0d1','61e34c793a804eedb062ec6225f8c2d6',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('1b8d5c91360a448e9153c30c1725f39c','9ea91df88dc54f3c9b8a14145244d0d1','a6bb70ff114e409ba06b1bd42c6d8c28',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('682d05723505461595ce60b2a6bb700c','9ea91df88dc54f3c9b8a14145244d0d1','1c09789885594ae1a05407e38fe20ba2',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('e6f848f77e3c4f7884191d5534eb3cfd','9ea91df88dc54f3c9b8a14145244d0d1','193ac445642b4629b86728db8c43ce3b',0.0,NULL,NULL,0);
CREATE TABLE grade_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "grade_cells" VALUES('3da8d593a5054fb984d0b56237e4d0fa',3.0,'code');
INSERT INTO "grade_cells" VALUES('22e578ee65a944eeac126e6bca578d27',3.0,'code');
INSERT INTO "grade_cells" VALUES('0749db0abf074d878598476789926698',1.0,'code');
INSERT INTO "grade_cells" VALUES('07b4aee7396a4dd98a831089e5472a4f',1.0,'code');
INSERT INTO "grade_cells" VALUES('6c4a36615e8a4a5bb4c94182c015aced',2.0,'markdown');
INSERT INTO "grade_cells" VALUES('0861912a075840c5beb42652da921595',4.0,'code');
INSERT INTO "grade_cells" VALUES('61e34c793a804eedb062ec6225f8c2d6',2.0,'code');
INSERT INTO "grade_cells" VALUES('a6bb70ff114e409ba06b1bd42c6d8c28',1.0,'code');
INSERT INTO "grade_cells" VALUES('1c09789885594ae1a05407e38fe20ba2',1.0,'code');
INSERT INTO "grade_cells" VALUES('193ac445642b4629b86728db8c43ce3b',2.0,'markdown');
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('95a12cc510034ff198e07e3869bfaf08','01-bayes-theorem','e4da75c05ba04372b1f20bd728e2f999','{"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}');
INSERT INTO "notebook" VALUES('582ca714af60417fb834803bae2a39b6','16-bagging-and-boosting','c06fa1c6d35743669e52acc27b7fa8aa','{"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}');
CREATE TABLE solution_cells (
	id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "solution_cells" VALUES('89e3f9ca827c4192aca7eabda92cdb33');
INSERT INTO "solution_cells" VALUES('a0e7178d144644d0930a6147935e5c80');
INSERT INTO "solution_cells" VALUES('bc55aacb4a3a49f08b68ee8a831f6d4c');
INSERT INTO "solution_cells" VALUES('a2a8bb0c4ef640dc9018657c94f75219');
INSERT INTO "solution_cells" VALUES('a72533db28ed455d9eb61f8d27bb449a');
INSERT INTO "solution_cells" VALUES('16fc7da14eb54d70b89ce522ef30c869');
INSERT INTO "solution_cells" VALUES('531b54fd2f9f4b48838101a2370be761');
INSERT INTO "solution_cells" VALUES('645b284d5e0d49eb82d0815dbd93900e');
INSERT INTO "solution_cells" VALUES('9223b1bacaf247bba739c93a7d711181');
INSERT INTO "solution_cells" VALUES('c00e655856454bc18ca871427f8d436d');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "source_cell" VALUES('de4a0a804ce640639ed657a8c1bc2898','setup','code',1,'from bayeslib.practice import exercise

check = exercise("01-bayes-theorem")','035be955e76fbfc15fcf2db32106b466','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('632a064925c94514b8baa6d3e4021c0d','posterior-answer','code',0,'def posterior(prior, likelihood):
    """P(h|D) for each hypothesis h.

    >>> posterior({"rain": 0.5, "dry": 0.5}, {"rain": 0.6, "dry": 0.2})
    {''rain'': 0.75, ''dry'': 0.25}
    """
    # YOUR CODE HERE
    raise NotImplementedError()','f4814c7679c9836fd836e8135b5b78c3','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('902bc2c7bd8c44a1b4f4da5b8f101dee','posterior','code',1,'check(posterior)','3c48bedf543197a9a937d9068686e3d3','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('697adf22364c446fab7fe5cffdfca3bc','belief_after-answer','code',0,'def belief_after(prior, tests):
    """P(sick | all results), beginning with P(sick) = prior.

    >>> belief_after(0.5, [("+", 0.9, 0.3)])
    0.75
    >>> belief_after(0.75, [("-", 0.8, 0.4)])
    0.5
    """
    # YOUR CODE HERE
    raise NotImplementedError()','c97e2df05ee6a68f9529aed57e4c21b1','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('7b04db7caf7745fdb3324ef042d8c23f','belief_after','code',1,'check(belief_after)','8822380407756a7062367aa19eb91233','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('40e2a76fecdc4031ac4acbebc1a5efa9','study','code',1,'import data

table = data.study(student)
table','d5131be8b3da5bffd94fb4c0f6c8a213','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('94f46553c5ce4c9cba193ce0b5d5b3b4','share_sick-answer','code',0,'share_sick = None  # put your own expression here
# YOUR CODE HERE
raise NotImplementedError()','870b74086d9a5595094eefe9e9a677e1','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('b44b519e6b0e4042b6d522399438c5c9','share_sick','code',1,'check(share_sick=share_sick)','83d05b9eca94ffe2ba25db245f8d2831','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('47e25ca475934f0385e666446ffeaab0','curve','code',1,'from bayeslib import live

live.posterior_curve()','9cc53a974c6eae73b2a206ef10204879','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('1812d7d8484741ffac97e69253be97d4','reading-answer','code',0,'reading = None  # "A", "B", "C" or "D"
# YOUR CODE HERE
raise NotImplementedError()','40877abf3f02484521d11dd12b7992fe','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('0d03e3de2cf84e9583177ca4d32ba645','reading','code',1,'check(reading=reading)','bd3342b4de1dfe0f5cafbc968b1bf228','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('3109c7255e6145a781807ccb541c9f16','why','markdown',0,'YOUR ANSWER HERE','91ce647a1fea1c5e62da5f8372244719','95a12cc510034ff198e07e3869bfaf08');
INSERT INTO "source_cell" VALUES('c426f3c2c08b484a8011c1a56778c058','setup','code',1,'from bayeslib.practice import exercise

check = exercise("16-bagging-and-boosting")','4a9298d45241377c050ca5352d19d8ba','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('7d810d3f594140a8b57a56bbab88aaf6','adaboost-answer','code',0,'import numpy as np


def adaboost(X, y, rounds):
    """Errors, alphas, final weights and votes of boosted stumps, as a dict.

    >>> end = adaboost([[1], [2], [3], [4], [5]], [1, 1, -1, 1, 1], 1)
    >>> [round(value, 4) for value in end["errors"] + end["alphas"]]
    [0.4, 0.2027]
    >>> [round(weight, 4) for weight in end["weights"]]
    [0.25, 0.1667, 0.25, 0.1667, 0.1667]
    """
    # YOUR CODE HERE
    raise NotImplementedError()','9325514dae3ad41e301659f73b4f0a55','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('e553d3536f324fc0969f546903421b0d','adaboost','code',1,'check(adaboost)','b200d9c87cc86a02542ae540ecf05000','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('f86e665136874afcbce3eb93db9eede6','out_of_bag-answer','code',0,'def out_of_bag(y, bags, answers):
    """The out-of-bag vote for each row, and its error.

    >>> out_of_bag(["a", "b", "a"], [[0, 0, 1], [1, 2, 2]], [["a", "b", "b"], ["a", "b", "a"]])
    ([''a'', None, ''b''], 0.5)
    """
    # YOUR CODE HERE
    raise NotImplementedError()','4489e6a7057483fd2e2e79de31b78138','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('8ad90d1c0d7e461a86e1abb6eefd6518','out_of_bag','code',1,'check(out_of_bag)','add45c3ed082803d757341c73f0072ba','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('bc8679dfc64c41d7b9c4874f6e75e23e','bags','code',1,'import data

plan = data.bags(student)
plan','e9b1e6c0eb71233b88af7c521d68d647','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('708dd2d1e70c4b86aaacb72a0154430d','heard-answer','code',0,'heard = None  # put your own expression here
# YOUR CODE HERE
raise NotImplementedError()','252509e41b17a621f040d26a33d19819','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('2ec6e1f4078c49a780fc642f2b10487d','heard','code',1,'check(heard=heard)','f3f9d255450112913a690b1734cc2d2a','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('48a92fbb95054484af96527238de1791','climb','code',1,'from bayeslib import live

figure = live.boost_bound()
figure.set(data="disc, 20% flipped", step=29)
figure','3513239ebeb47636ce5929a5881e25b7','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('72b268acbe414430869e52c4fed183f5','reading-answer','code',0,'reading = None  # "A", "B", "C" or "D"
# YOUR CODE HERE
raise NotImplementedError()','40877abf3f02484521d11dd12b7992fe','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('264d4c339b1c4006915eddd6fc92a69e','reading','code',1,'check(reading=reading)','bd3342b4de1dfe0f5cafbc968b1bf228','582ca714af60417fb834803bae2a39b6');
INSERT INTO "source_cell" VALUES('6b26627710944bf2acda45e18cb50bea','why','markdown',0,'YOUR ANSWER HERE','91ce647a1fea1c5e62da5f8372244719','582ca714af60417fb834803bae2a39b6');
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	lms_user_id VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('ada',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('bo',NULL,NULL,NULL,NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('4bd44c23c356417aaf800bb864ef07a8','e4da75c05ba04372b1f20bd728e2f999','ada',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('57a9ae9abf7c4ba49dd956a801b56928','e4da75c05ba04372b1f20bd728e2f999','bo',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('072b7bf60ae24cd9a8fd590800912a44','c06fa1c6d35743669e52acc27b7fa8aa','ada',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('7d290e4f22c34f4e8eacefabe43cfc04','c06fa1c6d35743669e52acc27b7fa8aa','bo',NULL,NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('10f072d1c6074760ad5d6ddc9307de58','4bd44c23c356417aaf800bb864ef07a8','95a12cc510034ff198e07e3869bfaf08',0,NULL);
INSERT INTO "submitted_notebook" VALUES('cbd96a485bd34846af4cfa67aeedd9e0','57a9ae9abf7c4ba49dd956a801b56928','95a12cc510034ff198e07e3869bfaf08',0,NULL);
INSERT INTO "submitted_notebook" VALUES('41f06bce3b764d88b5a6fd0cbd79fbea','072b7bf60ae24cd9a8fd590800912a44','582ca714af60417fb834803bae2a39b6',0,NULL);
INSERT INTO "submitted_notebook" VALUES('9ea91df88dc54f3c9b8a14145244d0d1','7d290e4f22c34f4e8eacefabe43cfc04','582ca714af60417fb834803bae2a39b6',0,NULL);
CREATE TABLE task_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
COMMIT;
