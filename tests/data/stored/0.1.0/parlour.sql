BEGIN TRANSACTION;
CREATE TABLE actions (
	game VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	seat SMALLINT NOT NULL, 
	action VARCHAR(24) NOT NULL, bank INTEGER, 
	CONSTRAINT pk_actions PRIMARY KEY (game, number), 
	CONSTRAINT fk_actions_game FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "actions" VALUES('41220516c535a17b',0,0,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',1,1,'2z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',2,2,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',3,3,'3z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',4,0,'7z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',5,1,'6p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',6,2,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',7,3,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',8,0,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',9,1,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',10,2,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',11,3,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',12,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',13,0,'3z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',14,1,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',15,2,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',16,3,'1p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',17,0,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',18,1,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',19,2,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',20,3,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',21,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',22,3,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',23,0,'8s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',24,1,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',25,2,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',26,3,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',27,0,'6z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',28,1,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',29,2,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',30,3,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',31,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',32,0,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',33,2,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',34,1,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',35,2,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',36,3,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',37,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',38,0,'7s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',39,1,'3rm',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',40,2,'8m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',41,3,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',42,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',43,0,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',44,1,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',45,1,'1s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',46,2,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',47,3,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',48,0,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',49,1,'chi 12s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',50,1,'1p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',51,2,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',52,3,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',53,0,'5s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',54,1,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',55,2,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',56,3,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',57,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',58,0,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',59,1,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',60,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',61,2,'5m*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',62,3,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',63,0,'3rs*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',64,1,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',65,2,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',66,3,'chi 89m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',67,3,'2z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',68,0,'8p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',69,1,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',70,2,'1s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',71,3,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',72,0,'7p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',73,1,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',74,2,'9s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',75,3,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',76,0,'3z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',77,1,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',78,2,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',79,3,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',80,0,'1z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',81,1,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',82,2,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',83,3,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',84,1,'1s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',85,2,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',86,3,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',87,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',88,0,'6z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',89,1,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',90,2,'3m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',91,3,'chi 12m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',92,3,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',93,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',94,0,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',95,1,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',96,2,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',97,3,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',98,0,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',99,1,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',100,2,'3m*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',101,3,'2z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',102,0,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',103,1,'1p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',104,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',105,2,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',106,3,'2p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',107,0,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',108,1,'3p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',109,2,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',110,3,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',111,0,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',112,1,'pon',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',113,1,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',114,2,'2z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',115,3,'3rp',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',116,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',117,0,'5z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',118,1,'8m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',119,2,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',120,3,'2s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',121,0,'3rs',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',122,1,'chi 24s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',123,1,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',124,2,'9s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',125,3,'8s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',126,0,'8s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',127,1,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',128,2,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',129,2,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',130,3,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',131,0,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',132,1,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',133,2,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',134,3,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',135,0,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',136,1,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',137,2,'4s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',138,3,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',139,0,'7s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',140,1,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',141,2,'chi 35p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',142,2,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',143,3,'chi 78p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',144,3,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',145,0,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',146,1,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',147,2,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',148,3,'2z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',149,0,'7p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',150,1,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',151,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',152,2,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',153,3,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',154,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',155,0,'2p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',156,1,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',157,2,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',158,3,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',159,0,'6p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',160,1,'1s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',161,2,'2z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',162,3,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',163,0,'7s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',164,1,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',165,2,'3z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',166,3,'5p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',167,0,'7z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',168,1,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',169,2,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',170,3,'2p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',171,2,'7p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',172,3,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',173,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',174,0,'1z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',175,1,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',176,3,'pon',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',177,3,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',178,0,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',179,1,'chi 46s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',180,1,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',181,2,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',182,2,'2s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',183,3,'3m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',184,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',185,0,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',186,1,'2p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',187,2,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',188,3,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',189,0,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',190,1,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',191,2,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',192,2,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',193,3,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',194,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',195,0,'1s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',196,1,'1s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',197,2,'5s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',198,3,'chi 67s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',199,3,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',200,0,'9s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',201,1,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',202,2,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',203,3,'2z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',204,0,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',205,1,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',206,2,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',207,3,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',208,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',209,0,'1z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',210,1,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',211,2,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',212,3,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',213,1,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',214,0,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',215,1,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',216,1,'5s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',217,2,'chi 67s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',218,2,'2m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',219,3,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',220,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',221,0,'5z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',222,1,'9s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',223,2,'7p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',224,3,'8s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',225,0,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',226,1,'3s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',227,2,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',228,3,'8m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',229,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',230,0,'7p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',231,1,'5z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',232,2,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',233,3,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',234,3,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',235,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',236,0,'5z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',237,1,'7m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',238,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',239,2,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',240,3,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',241,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',242,0,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',243,1,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',244,2,'3p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',245,3,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',246,0,'4z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',247,1,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',248,2,'3p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',249,3,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',250,3,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',251,0,'3rs*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',252,1,'2p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',253,2,'8m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',254,3,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',255,0,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',256,1,'9p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',257,2,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',258,3,'8m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',259,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',260,0,'1s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',261,1,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',262,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',263,2,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',264,3,'2p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',265,0,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',266,3,'2p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',267,0,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',268,1,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',269,2,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',270,3,'chi 78m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',271,3,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',272,0,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',273,1,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',274,2,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',275,3,'2z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',276,0,'3z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',277,1,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',278,2,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',279,3,'4p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',280,0,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',281,1,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',282,2,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',283,3,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',284,0,'9s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',285,1,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',286,2,'chi 78m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',287,2,'2m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',288,3,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',289,0,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',290,1,'chi 79s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',291,1,'3p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',292,2,'1z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',293,3,'3p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',294,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',295,0,'1z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',296,1,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',297,2,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',298,2,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',299,3,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',300,0,'6s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',301,1,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',302,2,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',303,3,'chi 56s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',304,3,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',305,1,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',306,0,'5s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',307,1,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',308,2,'9p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',309,3,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',310,0,'2z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',311,1,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',312,2,'4m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',313,3,'3z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',314,0,'4s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',315,1,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',316,2,'9m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',317,3,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',318,1,'pon',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',319,1,'6m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',320,2,'2z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',321,3,'3m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',322,0,'5z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',323,1,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',324,2,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',325,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',326,3,'7p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',327,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',328,0,'3s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',329,1,'3m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',330,2,'1s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',331,3,'8s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',332,0,'8s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',333,1,'8p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',334,2,'6p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',335,3,'4z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',336,0,'2s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',337,1,'6z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',338,2,'7s',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',339,3,'7z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',340,0,'5s*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',341,1,'1p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',342,2,'3z',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',343,3,'1p*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',344,0,'5z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',345,2,'pon',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',346,2,'5p',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',347,3,'3rm',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',348,0,'1z*',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',349,1,'1m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',350,2,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',351,3,'5m',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',352,0,'pass',NULL);
INSERT INTO "actions" VALUES('41220516c535a17b',353,0,'2s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',0,0,'7z',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',1,1,'1p',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',2,2,'1m',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',3,3,'1m',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',4,0,'6z',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',5,1,'5z',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',6,2,'2p',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',7,3,'pass',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',8,3,'4s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',9,0,'pass',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',10,0,'6z',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',11,1,'7m',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',12,2,'5s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',13,3,'3s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',14,0,'pass',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',15,0,'6s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',16,1,'chi 78s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',17,1,'9m',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',18,2,'1z',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',19,3,'1p',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',20,0,'6s',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',21,1,'6m',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',22,0,'pass',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',23,2,'5m*',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',24,3,'3p',NULL);
INSERT INTO "actions" VALUES('8ae53db2000c1e69',25,0,'pass',NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE games (
	id VARCHAR(16) NOT NULL, 
	table_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	rules VARCHAR(64) NOT NULL, 
	fingerprint VARCHAR(16) NOT NULL, 
	players TEXT NOT NULL, 
	status VARCHAR(12) NOT NULL, 
	started BIGINT NOT NULL, 
	ended BIGINT, 
	hands INTEGER NOT NULL, 
	result TEXT, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT fk_games_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "games" VALUES('41220516c535a17b','2cv6qe8q',1,X'BFBCC545F615A662862806A85E757DBEEAE706825DDCF88D7EDD25C201A209C7','1047831cfa7272b9','1047831cfa7272b9','[{"name": "Mina", "person": "febcc76f43b4bdb8", "bot": null, "gone": false}, {"name": "Kaede", "person": null, "bot": "random", "gone": false}, {"name": "Sora", "person": null, "bot": "random", "gone": false}, {"name": "Haneul", "person": null, "bot": "random", "gone": false}]','finished',1795306231118,1795306236493,4,'{"final": [20000, 10000, -10000, -20000], "places": [1, 2, 3, 4]}');
INSERT INTO "games" VALUES('8ae53db2000c1e69','rms9rkjm',1,X'C0A220756E7D3AE9697603FB6EF1013CFF6A89BA663DBD542E209CA87DA3CE23','tenhou','0d9bb7baafd24364','[{"name": "Mina", "person": "febcc76f43b4bdb8", "bot": null, "gone": false}, {"name": "Kaede", "person": null, "bot": "random", "gone": false}, {"name": "Sora", "person": null, "bot": "random", "gone": false}, {"name": "Haneul", "person": null, "bot": "random", "gone": false}]','playing',1795306236508,NULL,0,NULL);
CREATE TABLE links (
	token VARCHAR(64) NOT NULL, 
	person VARCHAR(16) NOT NULL, 
	role VARCHAR(12), 
	expires BIGINT NOT NULL, 
	CONSTRAINT pk_links PRIMARY KEY (token), 
	CONSTRAINT fk_links_person FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE people (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	account VARCHAR(64), 
	password VARCHAR(200), 
	role VARCHAR(12) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (id), 
	CONSTRAINT uq_people_account UNIQUE (account)
);
INSERT INTO "people" VALUES('febcc76f43b4bdb8','Mina','mina','$argon2id$v=19$m=19456,t=2,p=1$nf92NCixKYENktrFAX8LiQ$nEoN5AOF9+i8i/TaSDfJ1J8svWSQmUbOjKPnh/MhjxE','player','en',1795306231057);
CREATE TABLE pulse (
	id SMALLINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_pulse PRIMARY KEY (id)
);
CREATE TABLE rulesets (
	fingerprint VARCHAR(16) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	tree TEXT NOT NULL, 
	toml TEXT NOT NULL, 
	person VARCHAR(16), 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_rulesets PRIMARY KEY (fingerprint)
);
INSERT INTO "rulesets" VALUES('1047831cfa7272b9','Club rules','{"name": {"en": "Club rules", "ko": "동호회 룰", "ja": "サークルのルール"}, "about": {"en": "The rules of the 2025 BGM mahjong event: red threes, open riichi, local yaku, and han changed to match difficulty.", "ja": "2025年BGM麻雀イベント大会のルールで、赤三、オープンリーチ、ローカル役、難しさに合わせた翻数が特徴です。", "ko": "2025년 BGM 마작 이벤트 대회 룰로, 적3, 오픈리치, 로컬역, 난이도에 맞춘 판수 조정이 특징입니다."}, "match": {"players": 4, "length": "east", "start_points": 30000, "return_points": 30000, "oka": "none", "uma": [20000, 10000, -10000, -20000], "floating_uma": [], "tie": "seat_order", "final_rounding": "none", "sticks": {"10000": 1, "5000": 3, "1000": 4, "100": 10}}, "tiles": {"red": {"3m": 1, "3p": 1, "3s": 1}}, "dora": {"kan_dora": true, "ura": true, "kan_ura": true, "ankan_reveal": "at_once", "minkan_reveal": "before_draw", "delayed_dora_counts_for_ron": false}, "calls": {"kuitan": true, "kuikae": "forbidden", "sakizuke": "atozuke", "ankan_display": "outer_down", "kan_limit_one_player": true}, "riichi": {"deposit": 1000, "needs_points": true, "draws_left": 1, "short_wall": "forbidden", "ankan": "same_structure", "furiten_allowed": true, "double": true, "double_broken_by_ankan": true, "ippatsu": true, "ippatsu_broken_by_ankan": true, "open": true, "open_han": 3, "open_deal_in": "normal", "sticks_to": "any_winner", "stick_when_declaration_is_ronned": "kept"}, "furiten": {"temporary_until": "own_draw", "riichi_permanent": true}, "win": {"multiple_ron": "double_triple_draw", "deposits_to": "nearest", "honba_to": "nearest", "two_han_from_honba": 0, "kokushi_on_ankan": false}, "score": {"one_han_20_fu": false, "zero_han_win": "none", "double_wind_pair_fu": 4, "rinshan_tsumo_fu": true, "kiriage_mangan": false, "kazoe": "yakuman", "multiple_yakuman": true, "limit_yaku": "at_least", "honba_value": 300}, "draw": {"noten_payment": 3000, "kyuushu_kyuuhai": true, "suufuu_renda": true, "suucha_riichi": true, "suukansanra": true, "sanchahou": true, "suukansanra_at": "after_discard", "suucha_riichi_noten": "chombo", "dealer_after_abort": "stays", "dealer_after_triple_ron": "passes_if_dealer_dealt_in", "honba_after_abort": "adds", "nagashi_mangan": "as_win", "nagashi_needs_closed": false}, "deal": {"renchan": "tenpai", "paarenchan": "every_eighth"}, "end": {"tobi": "off", "dealer_stop": "off", "dealer_stop_points": 0, "extension": "none", "extension_target": 30000, "leftover_deposits": "first"}, "pao": {"yakuman": ["daisangen", "daisuushii", "suukantsu", "suurenkou"], "tsumo": "equal_shares", "ron": "equal_shares", "scope": "that_yakuman_only", "honba": "discarder", "rinshan_after_daiminkan": "normal"}, "fouls": {"mode": "prevent", "chombo": "to_each", "chombo_points": 3000, "false_win_shown": "chombo", "false_win_called": "dead_hand", "false_win_in_riichi": "noten_at_draw", "furiten_ron": "chombo", "noten_riichi": "chombo", "illegal_riichi_ankan": "chombo", "genbutsu_kuikae": "chombo", "suji_kuikae": "dead_hand", "late_riichi": "dead_hand", "wrong_meld": "dead_hand", "call_slip": "none", "acting_dead": "chombo", "too_many_tiles": "dead_hand", "too_few_tiles": "dead_hand", "call_with_wrong_count": "chombo", "late_pickup": "dead_hand", "never_picked_up": "chombo", "wrong_draw_in_riichi": "dead_hand", "revealing_tiles": "chombo", "looking_at_hand": "chombo", "moving_seat": "chombo", "collapsing_wall": "chombo", "misconduct": "expulsion"}, "clock": {"claim_window_s": 3, "turn_s": 5, "bank_s": 20}, "event": {"format": "individual", "days": 14, "finalists": 20}, "yaku": {"riichi": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "double_riichi": {"closed": 2, "open": false, "replaces": ["riichi"], "minimum": true, "only": "none"}, "open_riichi": {"closed": 2, "open": false, "replaces": ["riichi"], "minimum": true, "only": "none"}, "double_open_riichi": {"closed": 3, "open": false, "replaces": ["riichi", "double_riichi", "open_riichi"], "minimum": true, "only": "none"}, "open_riichi_deal_in": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "ippatsu": {"closed": 1, "open": false, "replaces": [], "minimum": false, "only": "none"}, "menzen_tsumo": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "haitei": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "houtei": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "rinshan_kaihou": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "chankan": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "tsubame_gaeshi": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "pinfu": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "tanyao": {"closed": 1, "open": 0, "replaces": [], "minimum": true, "only": "none"}, "iipeikou": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_haku": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_hatsu": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_chun": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "round_wind": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "seat_wind": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_doujun": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "ittsuu": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "chiitoitsu": {"closed": 2, "open": false, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_doukou": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "chanta": {"closed": 3, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "honroutou": {"closed": 4, "open": 4, "replaces": ["chanta"], "minimum": true, "only": "none"}, "toitoi": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "sanankou": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "shousangen": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "sankantsu": {"closed": 8, "open": 8, "replaces": [], "minimum": true, "only": "none"}, "ryanpeikou": {"closed": 6, "open": false, "replaces": ["iipeikou"], "minimum": true, "only": "none"}, "junchan": {"closed": 4, "open": 3, "replaces": ["chanta"], "minimum": true, "only": "none"}, "honitsu": {"closed": 3, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "chinitsu": {"closed": 6, "open": 5, "replaces": ["honitsu"], "minimum": true, "only": "none"}, "sanrenkou": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "uumensai": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_tsuukan": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "shiisan_puutaa": {"closed": "baiman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "renhou": {"closed": "baiman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "tenhou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "chiihou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "kokushi_musou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "kokushi_juusanmen": {"closed": "double_yakuman", "open": false, "replaces": ["kokushi_musou"], "minimum": true, "only": "none"}, "chuuren_poutou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "junsei_chuuren": {"closed": "double_yakuman", "open": false, "replaces": ["chuuren_poutou"], "minimum": true, "only": "none"}, "suuankou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "suuankou_tanki": {"closed": "double_yakuman", "open": false, "replaces": ["suuankou"], "minimum": true, "only": "none"}, "daisangen": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "shousuushii": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "daisuushii": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "tsuuiisou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "ryuuiisou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "chinroutou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "suukantsu": {"closed": "double_yakuman", "open": "double_yakuman", "replaces": [], "minimum": true, "only": "none"}, "shousharin": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "daisharin": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "pin"}, "suurenkou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "daichisei": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "paarenchan": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "nagashi_mangan": {"closed": "mangan", "open": false, "replaces": [], "minimum": true, "only": "none"}}}','extends = "bgm-2025"
name = { en = "Club rules", ko = "동호회 룰", ja = "サークルのルール" }
[match]
length = "east"
[riichi]
open = true
open_han = 3
[yaku.pinfu]
closed = 1
','febcc76f43b4bdb8',1795306231097);
INSERT INTO "rulesets" VALUES('0d9bb7baafd24364','Tenhou','{"name": {"en": "Tenhou", "ja": "天鳳", "ko": "천봉"}, "about": {"en": "The ranked four-player game of Tenhou: no double yakuman, sudden death to 30,000, open kan dora after the discard.", "ja": "天鳳の四人打ち段位戦で、ダブル役満なし、30,000点未満ならサドンデス、明槓のドラは打牌後です。", "ko": "천봉의 4인 단위전 룰로, 더블역만 없음, 30,000점 미만이면 서든데스, 명깡 도라는 타패 후 공개입니다."}, "match": {"players": 4, "length": "hanchan", "start_points": 25000, "return_points": 30000, "oka": "derived", "uma": [20000, 10000, -10000, -20000], "floating_uma": [], "tie": "seat_order", "final_rounding": "nearest_1000", "sticks": {"10000": 1, "5000": 2, "1000": 4, "100": 10}}, "tiles": {"red": {"5m": 1, "5p": 1, "5s": 1}}, "dora": {"kan_dora": true, "ura": true, "kan_ura": true, "ankan_reveal": "at_once", "minkan_reveal": "after_discard", "delayed_dora_counts_for_ron": true}, "calls": {"kuitan": true, "kuikae": "forbidden", "sakizuke": "atozuke", "ankan_display": "outer_down", "kan_limit_one_player": true}, "riichi": {"deposit": 1000, "needs_points": true, "draws_left": 1, "short_wall": "forbidden", "ankan": "same_waits", "furiten_allowed": true, "double": true, "double_broken_by_ankan": true, "ippatsu": true, "ippatsu_broken_by_ankan": true, "open": false, "open_han": 2, "open_deal_in": "normal", "sticks_to": "any_winner", "stick_when_declaration_is_ronned": "kept"}, "furiten": {"temporary_until": "own_draw", "riichi_permanent": true}, "win": {"multiple_ron": "double_triple_draw", "deposits_to": "nearest", "honba_to": "nearest", "two_han_from_honba": 0, "kokushi_on_ankan": false}, "score": {"one_han_20_fu": true, "zero_han_win": "none", "double_wind_pair_fu": 4, "rinshan_tsumo_fu": true, "kiriage_mangan": false, "kazoe": "yakuman", "multiple_yakuman": true, "limit_yaku": "at_least", "honba_value": 300}, "draw": {"noten_payment": 3000, "kyuushu_kyuuhai": true, "suufuu_renda": true, "suucha_riichi": true, "suukansanra": true, "sanchahou": true, "suukansanra_at": "after_discard", "suucha_riichi_noten": "chombo", "dealer_after_abort": "stays", "dealer_after_triple_ron": "stays", "honba_after_abort": "adds", "nagashi_mangan": "as_draw", "nagashi_needs_closed": false}, "deal": {"renchan": "tenpai", "paarenchan": "off"}, "end": {"tobi": "below_zero", "dealer_stop": "forced", "dealer_stop_points": 30000, "extension": "sudden_death", "extension_target": 30000, "leftover_deposits": "first"}, "pao": {"yakuman": ["daisangen", "daisuushii"], "tsumo": "all", "ron": "half", "scope": "whole_hand", "honba": "liable", "rinshan_after_daiminkan": "normal"}, "fouls": {"mode": "prevent", "chombo": "mangan", "chombo_points": 3000, "false_win_shown": "chombo", "false_win_called": "dead_hand", "false_win_in_riichi": "dead_hand", "furiten_ron": "chombo", "noten_riichi": "chombo", "illegal_riichi_ankan": "chombo", "genbutsu_kuikae": "chombo", "suji_kuikae": "dead_hand", "late_riichi": "dead_hand", "wrong_meld": "dead_hand", "call_slip": "deposit_1000", "acting_dead": "chombo", "too_many_tiles": "dead_hand", "too_few_tiles": "dead_hand", "call_with_wrong_count": "chombo", "late_pickup": "dead_hand", "never_picked_up": "dead_hand", "wrong_draw_in_riichi": "none", "revealing_tiles": "chombo", "looking_at_hand": "chombo", "moving_seat": "chombo", "collapsing_wall": "chombo", "misconduct": "expulsion"}, "clock": {"claim_window_s": 3, "turn_s": 5, "bank_s": 10}, "event": {"format": "individual", "days": 0, "finalists": 0}, "yaku": {"riichi": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "double_riichi": {"closed": 2, "open": false, "replaces": ["riichi"], "minimum": true, "only": "none"}, "open_riichi": {"closed": 2, "open": false, "replaces": ["riichi"], "minimum": true, "only": "none"}, "double_open_riichi": {"closed": 3, "open": false, "replaces": ["riichi", "double_riichi", "open_riichi"], "minimum": true, "only": "none"}, "open_riichi_deal_in": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "ippatsu": {"closed": 1, "open": false, "replaces": [], "minimum": false, "only": "none"}, "menzen_tsumo": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "haitei": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "houtei": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "rinshan_kaihou": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "chankan": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "tsubame_gaeshi": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "pinfu": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "tanyao": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "iipeikou": {"closed": 1, "open": false, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_haku": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_hatsu": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "yakuhai_chun": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "round_wind": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "seat_wind": {"closed": 1, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_doujun": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "ittsuu": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "chiitoitsu": {"closed": 2, "open": false, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_doukou": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "chanta": {"closed": 2, "open": 1, "replaces": [], "minimum": true, "only": "none"}, "honroutou": {"closed": 2, "open": 2, "replaces": ["chanta"], "minimum": true, "only": "none"}, "toitoi": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "sanankou": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "shousangen": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "sankantsu": {"closed": 2, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "ryanpeikou": {"closed": 3, "open": false, "replaces": ["iipeikou"], "minimum": true, "only": "none"}, "junchan": {"closed": 3, "open": 2, "replaces": ["chanta"], "minimum": true, "only": "none"}, "honitsu": {"closed": 3, "open": 2, "replaces": [], "minimum": true, "only": "none"}, "chinitsu": {"closed": 6, "open": 5, "replaces": ["honitsu"], "minimum": true, "only": "none"}, "sanrenkou": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "uumensai": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "sanshoku_tsuukan": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "shiisan_puutaa": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "renhou": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "tenhou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "chiihou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "kokushi_musou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "kokushi_juusanmen": {"closed": "yakuman", "open": false, "replaces": ["kokushi_musou"], "minimum": true, "only": "none"}, "chuuren_poutou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "junsei_chuuren": {"closed": "yakuman", "open": false, "replaces": ["chuuren_poutou"], "minimum": true, "only": "none"}, "suuankou": {"closed": "yakuman", "open": false, "replaces": [], "minimum": true, "only": "none"}, "suuankou_tanki": {"closed": "yakuman", "open": false, "replaces": ["suuankou"], "minimum": true, "only": "none"}, "daisangen": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "shousuushii": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "daisuushii": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "tsuuiisou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "ryuuiisou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "chinroutou": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "suukantsu": {"closed": "yakuman", "open": "yakuman", "replaces": [], "minimum": true, "only": "none"}, "shousharin": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "daisharin": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "pin"}, "suurenkou": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "daichisei": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "paarenchan": {"closed": false, "open": false, "replaces": [], "minimum": true, "only": "none"}, "nagashi_mangan": {"closed": "mangan", "open": false, "replaces": [], "minimum": true, "only": "none"}}}','',NULL,1795306236501);
CREATE TABLE seats (
	table_id VARCHAR(16) NOT NULL, 
	seat SMALLINT NOT NULL, 
	person VARCHAR(16), 
	name VARCHAR(24) NOT NULL, 
	bot VARCHAR(40), 
	gone BOOLEAN NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (table_id, seat), 
	CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "seats" VALUES('2cv6qe8q',0,'febcc76f43b4bdb8','Mina',NULL,0);
INSERT INTO "seats" VALUES('2cv6qe8q',1,NULL,'Kaede','random',0);
INSERT INTO "seats" VALUES('2cv6qe8q',2,NULL,'Sora','random',0);
INSERT INTO "seats" VALUES('2cv6qe8q',3,NULL,'Haneul','random',0);
INSERT INTO "seats" VALUES('rms9rkjm',0,'febcc76f43b4bdb8','Mina',NULL,0);
INSERT INTO "seats" VALUES('rms9rkjm',1,NULL,'Kaede','random',0);
INSERT INTO "seats" VALUES('rms9rkjm',2,NULL,'Sora','random',0);
INSERT INTO "seats" VALUES('rms9rkjm',3,NULL,'Haneul','random',0);
INSERT INTO "seats" VALUES('a69mh93b',0,'febcc76f43b4bdb8','Mina',NULL,0);
CREATE TABLE sessions (
	token VARCHAR(64) NOT NULL, 
	person VARCHAR(16) NOT NULL, 
	expires BIGINT NOT NULL, 
	CONSTRAINT pk_sessions PRIMARY KEY (token), 
	CONSTRAINT fk_sessions_person FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "sessions" VALUES('d790b18b5b09d988ac30bd241f4752d0b71927bffbaed56294506288f22bada5','febcc76f43b4bdb8',1803082236953);
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	owner VARCHAR(16) NOT NULL, 
	rules VARCHAR(64) NOT NULL, 
	fingerprint VARCHAR(16) NOT NULL, 
	options TEXT NOT NULL, 
	status VARCHAR(12) NOT NULL, 
	game INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('2cv6qe8q','Friday','febcc76f43b4bdb8','1047831cfa7272b9','1047831cfa7272b9','{"clock":false,"hints":true,"rated":false,"private":false,"spectators":true,"spectator_delay_s":0.0,"draw_seats":false,"even_pauses":false}','finished',1,1795306231107);
INSERT INTO "tables" VALUES('rms9rkjm','Going on','febcc76f43b4bdb8','tenhou','0d9bb7baafd24364','{"clock":false,"hints":true,"rated":false,"private":false,"spectators":true,"spectator_delay_s":0.0,"draw_seats":false,"even_pauses":false}','playing',1,1795306236502);
INSERT INTO "tables" VALUES('a69mh93b','Waiting','febcc76f43b4bdb8','1047831cfa7272b9','1047831cfa7272b9','{"clock":false,"hints":true,"rated":false,"private":false,"spectators":true,"spectator_delay_s":0.0,"draw_seats":false,"even_pauses":false}','waiting',0,1795306236905);
CREATE TABLE uploads (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	text TEXT NOT NULL, 
	created BIGINT NOT NULL, person VARCHAR(16), 
	CONSTRAINT pk_uploads PRIMARY KEY (id)
);
INSERT INTO "uploads" VALUES('212be16bb1edc7f2','going-on.jsonl','{"names": [], "record": "{\"jantaku\":1,\"rules\":\"club\",\"fingerprint\":\"a4d90314889be069\",\"commitment\":\"2a3f128306951f1ded174b8803ee1f0df0c6404bbe92682be21fd84accf5d540\",\"ruleset\":{\"name\":{\"en\":\"Club rules\",\"ko\":\"\ub3d9\ud638\ud68c \ub8f0\",\"ja\":\"\u30b5\u30fc\u30af\u30eb\u306e\u30eb\u30fc\u30eb\"},\"about\":{\"en\":\"The rules of the 2025 BGM mahjong event: red threes, open riichi, local yaku, and han changed to match difficulty.\",\"ja\":\"2025\u5e74BGM\u9ebb\u96c0\u30a4\u30d9\u30f3\u30c8\u5927\u4f1a\u306e\u30eb\u30fc\u30eb\u3067\u3001\u8d64\u4e09\u3001\u30aa\u30fc\u30d7\u30f3\u30ea\u30fc\u30c1\u3001\u30ed\u30fc\u30ab\u30eb\u5f79\u3001\u96e3\u3057\u3055\u306b\u5408\u308f\u305b\u305f\u7ffb\u6570\u304c\u7279\u5fb4\u3067\u3059\u3002\",\"ko\":\"2025\ub144 BGM \ub9c8\uc791 \uc774\ubca4\ud2b8 \ub300\ud68c \ub8f0\ub85c, \uc8013, \uc624\ud508\ub9ac\uce58, \ub85c\uceec\uc5ed, \ub09c\uc774\ub3c4\uc5d0 \ub9de\ucd98 \ud310\uc218 \uc870\uc815\uc774 \ud2b9\uc9d5\uc785\ub2c8\ub2e4.\"},\"match\":{\"players\":4,\"length\":\"east\",\"start_points\":30000,\"return_points\":30000,\"oka\":\"none\",\"uma\":[20000,10000,-10000,-20000],\"floating_uma\":[],\"tie\":\"seat_order\",\"final_rounding\":\"none\",\"sticks\":{\"10000\":1,\"5000\":3,\"1000\":4,\"100\":10}},\"tiles\":{\"red\":{\"7m\":1}},\"dora\":{\"kan_dora\":true,\"ura\":true,\"kan_ura\":true,\"ankan_reveal\":\"at_once\",\"minkan_reveal\":\"before_draw\",\"delayed_dora_counts_for_ron\":false},\"calls\":{\"kuitan\":true,\"kuikae\":\"forbidden\",\"sakizuke\":\"atozuke\",\"ankan_display\":\"outer_down\",\"kan_limit_one_player\":true},\"riichi\":{\"deposit\":1000,\"needs_points\":true,\"draws_left\":1,\"short_wall\":\"forbidden\",\"ankan\":\"same_structure\",\"furiten_allowed\":true,\"double\":true,\"double_broken_by_ankan\":true,\"ippatsu\":true,\"ippatsu_broken_by_ankan\":true,\"open\":true,\"open_han\":3,\"open_deal_in\":\"normal\",\"sticks_to\":\"any_winner\",\"stick_when_declaration_is_ronned\":\"kept\"},\"furiten\":{\"temporary_until\":\"own_draw\",\"riichi_permanent\":true},\"win\":{\"multiple_ron\":\"double_triple_draw\",\"deposits_to\":\"nearest\",\"honba_to\":\"nearest\",\"two_han_from_honba\":0,\"kokushi_on_ankan\":false},\"score\":{\"one_han_20_fu\":false,\"zero_han_win\":\"none\",\"double_wind_pair_fu\":4,\"rinshan_tsumo_fu\":true,\"kiriage_mangan\":false,\"kazoe\":\"yakuman\",\"multiple_yakuman\":true,\"limit_yaku\":\"at_least\",\"honba_value\":300},\"draw\":{\"noten_payment\":3000,\"kyuushu_kyuuhai\":true,\"suufuu_renda\":true,\"suucha_riichi\":true,\"suukansanra\":true,\"sanchahou\":true,\"suukansanra_at\":\"after_discard\",\"suucha_riichi_noten\":\"chombo\",\"dealer_after_abort\":\"stays\",\"dealer_after_triple_ron\":\"passes_if_dealer_dealt_in\",\"honba_after_abort\":\"adds\",\"nagashi_mangan\":\"as_win\",\"nagashi_needs_closed\":false},\"deal\":{\"renchan\":\"tenpai\",\"paarenchan\":\"every_eighth\"},\"end\":{\"tobi\":\"off\",\"dealer_stop\":\"off\",\"dealer_stop_points\":0,\"extension\":\"none\",\"extension_target\":30000,\"leftover_deposits\":\"first\"},\"pao\":{\"yakuman\":[\"daisangen\",\"daisuushii\",\"suukantsu\",\"suurenkou\"],\"tsumo\":\"equal_shares\",\"ron\":\"equal_shares\",\"scope\":\"that_yakuman_only\",\"honba\":\"discarder\",\"rinshan_after_daiminkan\":\"normal\"},\"fouls\":{\"mode\":\"prevent\",\"chombo\":\"to_each\",\"chombo_points\":3000,\"false_win_shown\":\"chombo\",\"false_win_called\":\"dead_hand\",\"false_win_in_riichi\":\"noten_at_draw\",\"furiten_ron\":\"chombo\",\"noten_riichi\":\"chombo\",\"illegal_riichi_ankan\":\"chombo\",\"genbutsu_kuikae\":\"chombo\",\"suji_kuikae\":\"dead_hand\",\"late_riichi\":\"dead_hand\",\"wrong_meld\":\"dead_hand\",\"call_slip\":\"none\",\"acting_dead\":\"chombo\",\"too_many_tiles\":\"dead_hand\",\"too_few_tiles\":\"dead_hand\",\"call_with_wrong_count\":\"chombo\",\"late_pickup\":\"dead_hand\",\"never_picked_up\":\"chombo\",\"wrong_draw_in_riichi\":\"dead_hand\",\"revealing_tiles\":\"chombo\",\"looking_at_hand\":\"chombo\",\"moving_seat\":\"chombo\",\"collapsing_wall\":\"chombo\",\"misconduct\":\"expulsion\"},\"clock\":{\"claim_window_s\":3,\"turn_s\":5,\"bank_s\":20},\"event\":{\"format\":\"individual\",\"days\":14,\"finalists\":20},\"yaku\":{\"riichi\":{\"closed\":1,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"double_riichi\":{\"closed\":2,\"open\":false,\"replaces\":[\"riichi\"],\"minimum\":true,\"only\":\"none\"},\"open_riichi\":{\"closed\":2,\"open\":false,\"replaces\":[\"riichi\"],\"minimum\":true,\"only\":\"none\"},\"double_open_riichi\":{\"closed\":3,\"open\":false,\"replaces\":[\"riichi\",\"double_riichi\",\"open_riichi\"],\"minimum\":true,\"only\":\"none\"},\"open_riichi_deal_in\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"ippatsu\":{\"closed\":1,\"open\":false,\"replaces\":[],\"minimum\":false,\"only\":\"none\"},\"menzen_tsumo\":{\"closed\":1,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"haitei\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"houtei\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"rinshan_kaihou\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chankan\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"tsubame_gaeshi\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"pinfu\":{\"closed\":1,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"tanyao\":{\"closed\":1,\"open\":0,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"iipeikou\":{\"closed\":1,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"yakuhai_haku\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"yakuhai_hatsu\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"yakuhai_chun\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"round_wind\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"seat_wind\":{\"closed\":1,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"sanshoku_doujun\":{\"closed\":2,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"ittsuu\":{\"closed\":2,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chiitoitsu\":{\"closed\":2,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"sanshoku_doukou\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chanta\":{\"closed\":3,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"honroutou\":{\"closed\":4,\"open\":4,\"replaces\":[\"chanta\"],\"minimum\":true,\"only\":\"none\"},\"toitoi\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"sanankou\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"shousangen\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"sankantsu\":{\"closed\":8,\"open\":8,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"ryanpeikou\":{\"closed\":6,\"open\":false,\"replaces\":[\"iipeikou\"],\"minimum\":true,\"only\":\"none\"},\"junchan\":{\"closed\":4,\"open\":3,\"replaces\":[\"chanta\"],\"minimum\":true,\"only\":\"none\"},\"honitsu\":{\"closed\":3,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chinitsu\":{\"closed\":6,\"open\":5,\"replaces\":[\"honitsu\"],\"minimum\":true,\"only\":\"none\"},\"sanrenkou\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"uumensai\":{\"closed\":2,\"open\":2,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"sanshoku_tsuukan\":{\"closed\":2,\"open\":1,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"shiisan_puutaa\":{\"closed\":\"baiman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"renhou\":{\"closed\":\"baiman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"tenhou\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chiihou\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"kokushi_musou\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"kokushi_juusanmen\":{\"closed\":\"double_yakuman\",\"open\":false,\"replaces\":[\"kokushi_musou\"],\"minimum\":true,\"only\":\"none\"},\"chuuren_poutou\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"junsei_chuuren\":{\"closed\":\"double_yakuman\",\"open\":false,\"replaces\":[\"chuuren_poutou\"],\"minimum\":true,\"only\":\"none\"},\"suuankou\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"suuankou_tanki\":{\"closed\":\"double_yakuman\",\"open\":false,\"replaces\":[\"suuankou\"],\"minimum\":true,\"only\":\"none\"},\"daisangen\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"shousuushii\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"daisuushii\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"tsuuiisou\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"ryuuiisou\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"chinroutou\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"suukantsu\":{\"closed\":\"double_yakuman\",\"open\":\"double_yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"shousharin\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"daisharin\":{\"closed\":false,\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"pin\"},\"suurenkou\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"daichisei\":{\"closed\":\"yakuman\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"paarenchan\":{\"closed\":\"yakuman\",\"open\":\"yakuman\",\"replaces\":[],\"minimum\":true,\"only\":\"none\"},\"nagashi_mangan\":{\"closed\":\"mangan\",\"open\":false,\"replaces\":[],\"minimum\":true,\"only\":\"none\"}}}}\n{\"type\":\"game_started\",\"rules\":\"club\",\"fingerprint\":\"a4d90314889be069\",\"commitment\":\"2a3f128306951f1ded174b8803ee1f0df0c6404bbe92682be21fd84accf5d540\"}\n{\"type\":\"hand_started\",\"number\":0,\"honba\":0,\"deposits\":0,\"dealer\":0,\"scores\":[30000,30000,30000,30000],\"indicator\":\"6z\",\"hands\":[\"1147899m9p2479s6z\",\"56m23p12579s1235z\",\"25799m244667p4s3z\",\"366m3468p79s2667z\"]}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"3s\"}\n[0,\"6z\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"6z\"}\n[3,\"pass\"]\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"8s\"}\n[1,\"1z\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"1z\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"9p\"}\n[2,\"9p*\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"9p\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"7p\"}\n[3,\"3m\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"3m\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"7m\"}\n[0,\"4m\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"4m\"}\n[1,\"chi 56m\"]\n{\"type\":\"called\",\"seat\":1,\"meld\":{\"type\":\"chi\",\"tiles\":\"456m\",\"called\":\"4m\",\"from\":\"left\"}}\n[1,\"2z\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"2z\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"5p\"}\n[2,\"2m\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"2m\"}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"5p\"}\n[3,\"2z\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"2z\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"6s\"}\n[0,\"9s\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"9s\"}\n[1,\"pass\"]\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"2z\"}\n[1,\"2z*\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"2z\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"5s\"}\n[2,\"7m\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"7m\"}\n[0,\"pass\"]\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"2p\"}\n[3,\"2p*\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"2p\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"6m\"}\n[0,\"6m*\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"6m\",\"drawn\":true}\n[3,\"pass\"]\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"4z\"}\n[1,\"5s\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"5s\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"3s\"}\n[2,\"5m\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"5m\"}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"5m\"}\n[3,\"7z\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"7z\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"2p\"}\n[0,\"2p*\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"2p\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"4m\"}\n[1,\"4z\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"4z\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"2m\"}\n[2,\"3z\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"3z\"}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"3s\"}\n[3,\"3s*\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"3s\",\"drawn\":true}\n[0,\"pass\"]\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"7s\"}\n[0,\"6s\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"6s\"}\n[1,\"chi 78s\"]\n{\"type\":\"called\",\"seat\":1,\"meld\":{\"type\":\"chi\",\"tiles\":\"678s\",\"called\":\"6s\",\"from\":\"left\"}}\n[1,\"5z\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"5z\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"4p\"}\n[2,\"2p\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"2p\"}\n[3,\"chi 34p\"]\n{\"type\":\"called\",\"seat\":3,\"meld\":{\"type\":\"chi\",\"tiles\":\"234p\",\"called\":\"2p\",\"from\":\"left\"}}\n[3,\"8p\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"8p\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"3m\"}\n[0,\"9p\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"9p\"}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"2s\"}\n[1,\"2s*\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"2s\",\"drawn\":true}\n[2,\"pass\"]\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"7rm\"}\n[2,\"6p\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"6p\"}\n[3,\"pass\"]\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"2s\"}\n[3,\"2s*\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"2s\",\"drawn\":true}\n[0,\"pass\"]\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"1z\"}\n[0,\"1z*\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"1z\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"1p\"}\n[1,\"9s\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"9s\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"8s\"}\n[2,\"7rm\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"7rm\"}\n[0,\"pass\"]\n[3,\"pass\"]\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"8m\"}\n[3,\"8m*\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"8m\",\"drawn\":true}\n[0,\"pass\"]\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"7p\"}\n[0,\"1m\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"1m\"}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"2z\"}\n[1,\"3z\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"3z\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"7z\"}\n[2,\"7z*\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"7z\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"5z\"}\n[3,\"5m\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"5m\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"1p\"}\n[0,\"7p\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"7p\"}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"8p\"}\n[1,\"4m\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"4m\"}\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"1s\"}\n[2,\"1s*\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"1s\",\"drawn\":true}\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"5p\"}\n[3,\"5p\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"5p\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"1m\"}\n[0,\"1m\"]\n{\"type\":\"discarded\",\"seat\":0,\"tile\":\"1m\"}\n{\"type\":\"drew\",\"seat\":1,\"tile\":\"1p\"}\n[1,\"8p\"]\n{\"type\":\"discarded\",\"seat\":1,\"tile\":\"8p\"}\n[2,\"pass\"]\n{\"type\":\"drew\",\"seat\":2,\"tile\":\"5z\"}\n[2,\"8s\"]\n{\"type\":\"discarded\",\"seat\":2,\"tile\":\"8s\"}\n[3,\"pass\"]\n{\"type\":\"drew\",\"seat\":3,\"tile\":\"4s\"}\n[3,\"5z\"]\n{\"type\":\"discarded\",\"seat\":3,\"tile\":\"5z\"}\n{\"type\":\"drew\",\"seat\":0,\"tile\":\"5s\"}\n{\"opening\":\"000000000000000000000000000000000000000000000000000000000000000d\"}\n"}',1795306236921,'febcc76f43b4bdb8');
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE INDEX ix_tables_status ON tables (status);
CREATE INDEX ix_games_ended ON games (ended);
CREATE UNIQUE INDEX ix_games_table_id_number ON games (table_id, number);
CREATE INDEX ix_uploads_person ON uploads (person);
CREATE INDEX ix_rulesets_person ON rulesets (person);
COMMIT;
